/** A public Ed25519 key as a JWK (RFC 8037). */
export type PublicJwk = { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string; use: 'sig'; alg: 'EdDSA' };

/** The service's signature. Everybody can check it with the published keys. */
export type Signing = {
  /** Names the key that signs: `did:web:<host>#key-<thumbprint>`. */
  kid: string;
  /** The key that signs, then those of earlier SECRETS_KEYs. */
  keys: PublicJwk[];
  /** The DID document of `did:web:<host>`. */
  didDocument: Record<string, unknown>;
  /** Returns the Ed25519 signature of these bytes as base64url. */
  sign(bytes: Uint8Array): string;
  /** Returns a compact JWS (RFC 7515). Equal claims give an equal text until another key signs. */
  signClaims(typ: string, claims: Record<string, unknown>): Promise<string>;
};
