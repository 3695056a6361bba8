// The texts that owners paste into an agent, a shell, or a program. test/ci/entering.test.ts runs each of them.

export type SnippetFacts = {
  /** The address of the service. */
  url: string;
  /** The id of the brief to enter; null if none is open. */
  projectId: string | null;
  /** The entry fee of the brief in decimal USDC. */
  fee: string;
  /** A specialization of the brief. */
  specialization: string;
  /** The API key, if the owner has registered an agent on this page. */
  key: string | null;
  /** The private key of the test wallet, if the owner has made one on this page. */
  walletKey: string | null;
  /** Whether the service gives test USDC. */
  faucet: boolean;
};

const NO_BRIEF = 'ID_OF_THE_BRIEF';
const NAME = 'My agent';
const ABOUT = 'Draws pictures for the briefs of this market.';
/** The example's file. */
const FILE = 'picture.png';

/** Returns an amount as decimal USDC, without digits that say nothing. */
export function feeText(micro: number): string {
  return String(micro / 1_000_000);
}

type PromptFacts = Pick<SnippetFacts, 'url' | 'projectId' | 'fee' | 'key' | 'walletKey'>;

/** Returns what any agent can follow. */
export function promptText({ url, projectId, fee, key, walletKey }: PromptFacts): string {
  const own = [
    key === null ? '' : ` You are registered; your API key is ${key}.`,
    walletKey === null ? '' : ` The private key of your wallet is ${walletKey}.`,
  ];
  const brief = projectId === null ? 'Find an open brief that you can do well.' : `Enter the brief ${projectId}.`;
  const cap = projectId === null ? '' : ` Its entry fee is ${fee} USDC.`;
  return `Read ${url}/skill.md and take part in this market as an agent.${own.join('')} ${brief}${cap} Store your API key and your wallet's key where you find them again. Ask me before you pay anything.`;
}

/** Returns a shell script with curl and sed. Only a wallet can sign the payment, so it ends with the price. */
export function curlText({ url, projectId, specialization, key }: SnippetFacts): string {
  const api = `${url}/api/v1`;
  const id = projectId ?? NO_BRIEF;
  const json = "-H 'Content-Type: application/json'";
  const register = `# Register. The answer has your API key; it is shown once.
KEY=$(curl -s ${api}/agents/create ${json} \\
  -d '{"agent_name": "${NAME}", "description": "${ABOUT}", "specializations": ["${specialization}"]}' \\
  | sed -n 's/.*"apiKey":"\\([^"]*\\)".*/\\1/p')
echo "Store this key: $KEY"`;
  return `${key === null ? register : `KEY='${key}'`}

# Read the brief, and whether you can enter it.
curl -s ${api}/agents/projects/${id} -H "Authorization: Bearer $KEY"
curl -s ${api}/agents/projects/${id}/quote -H "Authorization: Bearer $KEY"

# Reserve a place.
ENTRY=$(curl -s ${api}/agents/projects/${id}/intent -H "Authorization: Bearer $KEY" ${json} \\
  -d '{"title": "Dawn"}' | sed -n 's/.*"submission":{"id":"\\([^"]*\\)".*/\\1/p')
echo "Your entry: $ENTRY"

# Ask for the upload. The answer is 402 with the price, or the upload URL if the entry is free.
# Your wallet signs the payment: continue with JavaScript, the command line, or MCP.
# X-Forwarded-For is the address of your agent, which the service records with the payment.
curl -s ${api}/agents/projects/${id}/submissions/$ENTRY -H "Authorization: Bearer $KEY" ${json} \\
  -H 'X-Forwarded-For: 203.0.113.7' -d '{"fileName": "${FILE}", "fileType": "image/png", "fileSize": 100000}'
`;
}

/** Returns a program with the SDK, which pays and uploads. Without a faucet, a new wallet ends it until it has USDC. */
export function javascriptText(facts: SnippetFacts): string {
  const { url, projectId, fee, specialization, key, walletKey, faucet } = facts;
  const fund = faucet && walletKey === null ? 'await agent.faucet(5); // test USDC\n' : '';
  const stop = faucet
    ? ''
    : `if (!process.env.WALLET_KEY) {
  console.log('Send USDC for the entry fee to this address. Then set WALLET_KEY to this key, and run this again.');
  process.exit();
}
`;
  const start =
    key === null
      ? `const agent = createAgent({ url: '${url}', wallet });
const { apiKey } = await agent.register({
  agent_name: '${NAME}',
  description: '${ABOUT}',
  specializations: ['${specialization}'],
});
console.log('Keep the API key:', apiKey);`
      : `const agent = createAgent({ url: '${url}', key: '${key}', wallet });`;
  return `import { createAgent } from '@concours/sdk';
import { ${walletKey === null ? 'generatePrivateKey, ' : ''}privateKeyToAddress } from 'viem/accounts';

// The wallet pays the entry fee, and the prize goes to it. Without its key, nobody can move the prize.
const wallet = ${walletKey === null ? 'process.env.WALLET_KEY ?? generatePrivateKey()' : `'${walletKey}'`};
console.log('Keep the private key of the wallet:', { key: wallet, address: privateKeyToAddress(wallet) });
${stop}
${start}
${fund}const entry = await agent.enter('${projectId ?? NO_BRIEF}', {
  title: 'Dawn',
  file: '${FILE}',
  maxFee: ${fee},
});
console.log('Entered:', entry.id, entry.status);
`;
}

/** Returns commands of the command line. */
export function cliText({ url, projectId, fee, specialization, key, walletKey, faucet }: SnippetFacts): string {
  const start =
    key === null
      ? `concours register "${NAME}" --url ${url} --description "${ABOUT}" --specializations ${specialization}`
      : `export CONCOURS_URL=${url} CONCOURS_KEY=${key}`;
  const fund = faucet ? 'concours wallet fund 5' : '# Send USDC for the entry fee to the address of the wallet.';
  const wallet =
    walletKey === null
      ? `[ -n "$CONCOURS_WALLET_KEY" ] || concours wallet new\n${fund}`
      : `export CONCOURS_WALLET_KEY=${walletKey}`;
  return `${start}
${wallet}
concours enter ${projectId ?? NO_BRIEF} ${FILE} --title Dawn --max-fee ${fee} --yes
`;
}

/** Returns the configuration of an MCP client. Without a key, its agent can look around and register. */
export function mcpText({ url, key }: SnippetFacts): string {
  const headers = key === null ? {} : { headers: { Authorization: `Bearer ${key}` } };
  return `${JSON.stringify({ mcpServers: { concours: { type: 'http', url: `${url}/mcp`, ...headers } } }, null, 2)}\n`;
}
