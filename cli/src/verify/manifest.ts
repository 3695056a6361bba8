import { readFile } from 'node:fs/promises';
import { compactVerify, decodeJwt, decodeProtectedHeader, errors, importJWK, type JWK } from 'jose';
import { CannotCheck, getJson } from './get-json.ts';

export type ManifestFile = {
  item: number;
  file_name: string;
  content_type: string;
  size_bytes: number;
  sha256: string;
};
export type Manifest = {
  iss: string;
  project_id: string;
  submission_id: string;
  terms_hash: string;
  licence: { id: string; sha256: string };
  files: ManifestFile[];
  network: string;
  asset: string;
  payer: string;
  payee: string;
  prize_tx: string | null;
  fee_tx: string | null;
  payout_tx: string | null;
  payout_micro: number;
  awarded_at: string;
  settled_at: string;
};
export type Check = { check: string; ok: boolean; message: string };

const TYPE = 'concours-delivery+jwt';
const SHA256 = /^[0-9a-f]{64}$/;
const TRANSACTION = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;

/** Whom the user trusts: an issuer, its keys (a file or a URL), or the service of the command. */
export type Trusted = { issuer?: string | undefined; jwks?: string | undefined; service?: string | undefined };

/**
 * Reads a manifest and checks its signature. Anybody can sign a manifest and publish keys, so the manifest itself never
 * says where the keys are: without a trusted issuer, nothing is fetched.
 *
 * @throws CannotCheck
 */
export async function readManifest(
  path: string,
  trusted: Trusted,
): Promise<{ manifest: Manifest | null; check: Check }> {
  const jws = (await read(path)).trim();
  const { header, issuer } = headOf(jws, path);
  const wanted = trusted.issuer?.replace(/\/+$/, '');
  if (wanted !== undefined && wanted !== issuer)
    return {
      manifest: null,
      check: { check: 'signature', ok: false, message: `signature: the issuer is ${issuer}, not ${wanted}` },
    };
  const keys = await readKeys(trusted.jwks ?? keysOf(issuer, wanted ?? trusted.service));
  const key = keys.find(({ kid }) => kid === header.kid) ?? keys.find(({ kid }) => nameOf(kid) === nameOf(header.kid));
  const signed = (ok: boolean, message: string) => ({ check: 'signature', ok, message });
  if (!key) return { manifest: null, check: signed(false, `signature: ${issuer} publishes no key ${header.kid}`) };
  const publicKey = await importJWK({ ...key, alg: 'EdDSA' }).catch(() => {
    throw new CannotCheck(`the key ${key.kid} is not an Ed25519 key`);
  });
  try {
    const { payload } = await compactVerify(jws, publicKey, { algorithms: ['EdDSA'] });
    const manifest = parse(new TextDecoder().decode(payload));
    return { manifest, check: signed(true, `signature: by ${issuer}, with the key ${header.kid}`) };
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    return { manifest: null, check: signed(false, 'signature: not valid; the manifest was changed or forged') };
  }
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CannotCheck(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function headOf(jws: string, path: string): { header: { kid: string }; issuer: string } {
  try {
    const { typ, kid } = decodeProtectedHeader(jws);
    const { iss } = decodeJwt(jws);
    if (typ === TYPE && typeof kid === 'string' && typeof iss === 'string') return { header: { kid }, issuer: iss };
  } catch {
    // The text is no JWS.
  }
  throw new CannotCheck(`${path} is not a delivery manifest: a compact JWS of the type ${TYPE}`);
}

function keysOf(issuer: string, known: string | undefined): string {
  if (known !== issuer)
    throw new CannotCheck(
      `nobody vouches for this issuer: ${issuer}. If you bought there, pass --issuer ${issuer}, or its keys with --jwks`,
    );
  if (!/^https?:/.test(issuer))
    throw new CannotCheck(`the issuer ${issuer} is no web address; pass its keys with --jwks`);
  return `${issuer}/.well-known/jwks.json`;
}

async function readKeys(source: string): Promise<JWK[]> {
  const document = /^https?:/.test(source) ? await getJson(source) : parseKeys(await read(source), source);
  const keys = (document as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys)) throw new CannotCheck(`${source} is not a JWK Set`);
  return keys as JWK[];
}

function parseKeys(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CannotCheck(`${source} is not a JWK Set`);
  }
}

/** The end of a key's id is its thumbprint, which stays the same when the service moves to another host. */
function nameOf(kid: string | undefined): string | undefined {
  return kid?.split('#')[1];
}

function parse(text: string): Manifest {
  const manifest = JSON.parse(text) as Manifest;
  const { files, network, asset, payer, payee, prize_tx, fee_tx, payout_tx, payout_micro: paid } = manifest;
  const isRight =
    Array.isArray(files) &&
    files.every(
      ({ item, file_name: name, sha256 }) => Number.isInteger(item) && typeof name === 'string' && SHA256.test(sha256),
    ) &&
    typeof network === 'string' &&
    Number.isSafeInteger(paid) &&
    [asset, payer, payee].every((address) => ADDRESS.test(address)) &&
    [prize_tx, fee_tx, payout_tx].every((hash) => hash === null || TRANSACTION.test(hash));
  if (!isRight) throw new CannotCheck('the manifest is signed, but has another form; a newer version may read it');
  return manifest;
}
