// One process of an agent that has only its key and its wallet: it finishes what is pending, or enters the project.
// Arguments: the address of the service, the project, and the picture.
import { createAgent } from '../../../sdk/src/index.ts';

const [url = '', project = '', file = ''] = process.argv.slice(2);
const agent = createAgent({ url, key: process.env['CONCOURS_KEY'], wallet: process.env['CONCOURS_WALLET_KEY'] });
const options = { title: 'Afterlife', file, maxFee: 0.25 };
const pending = await Array.fromAsync(agent.submissions({ status: 'pending' }));
for (const { project_id: id } of pending) await agent.enter(id, options);
if (pending.length === 0) await agent.enter(project, options);
