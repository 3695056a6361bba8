import { readFile, writeFile } from 'node:fs/promises';
import untypedSolc from 'solc';

/**
 * `node scripts/compile-dev-usdc.ts` compiles the contracts of the development chain. The artifacts are committed, so a
 * start needs no compiler: solc is 9 MB of WebAssembly and takes a second to load. Run it after each change of a contract.
 */
const folder = new URL('../server/devnet/', import.meta.url);
// The types that solc ships are all `any`.
const solc = untypedSolc as { compile(input: string): string; version(): string };
const artifacts = { DevUSDC: 'dev-usdc.json', Multicall3: 'multicall3.json', TestWallet: 'test-wallet.json' };

type Artifact = {
  compiler: string;
  abi: unknown[];
  /** The code that anvil_setCode takes. */
  runtimeBytecode: `0x${string}`;
};

type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts?: Record<string, Record<string, { abi: unknown[]; evm: { deployedBytecode: { object: string } } }>>;
};

/** Compiles one Solidity file that declares a contract of the given name. A warning is an error. */
function compile(name: string, source: string): Artifact {
  const input = {
    language: 'Solidity',
    sources: { [`${name}.sol`]: { content: source } },
    settings: {
      // The legacy pipeline fails with "stack too deep" on EIP-3009 signatures.
      viaIR: true,
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'cancun',
      // Without the metadata hash, the bytecode depends only on the source and the compiler.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  const errors = output.errors ?? [];
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
  const contract = output.contracts?.[`${name}.sol`]?.[name];
  if (contract === undefined) throw new Error(`${name}.sol declares no contract ${name}`);
  return {
    compiler: solc.version(),
    abi: contract.abi,
    runtimeBytecode: `0x${contract.evm.deployedBytecode.object}`,
  };
}

for (const [name, file] of Object.entries(artifacts)) {
  const artifact = compile(name, await readFile(new URL(`${name}.sol`, folder), 'utf8'));
  await writeFile(new URL(file, folder), `${JSON.stringify(artifact, null, 2)}\n`);
}
