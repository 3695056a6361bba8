/**
 * The poster's session and the poster's own projects. `SessionGate` shows the sign-in page until there is a session.
 */
export { Breadcrumb } from './breadcrumb.tsx';
export { itemNames, loadItem, removeItem, storeItem } from './browser-storage.ts';
export { type OwnProject, ownProjectRoute, ownQuery, useOwnProject } from './own-projects.ts';
export { posterApi, rememberedWallet, rememberWallet, type Session, signOut, useSession } from './poster-session.ts';
export { SessionGate } from './session-gate.tsx';
export { SignInPage } from './sign-in-page.tsx';
