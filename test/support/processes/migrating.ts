import { createPool } from '../../../server/db/pool.ts';
import { migrate } from '../../../server/db/migrate.ts';

// Applies the migrations of a folder to a database, as `concours-server migrate` does. A test kills it. Arguments: the
// address of the database, and the folder.

const [url = '', folder = ''] = process.argv.slice(2);
const parameters = { statement_timeout: '0', lock_timeout: '60s' };
const db = createPool({ url, connections: 2, prepare: false, parameters });
const applied = await migrate(db, { folder, version: '9.1.0', pauseMs: 20 });
await db.end();
console.log(applied.join(','));
