// What entries/originality/ offers to other folders; everything else in it is private.

export { flagLikenesses } from './flag-likenesses.ts';
export { originalityRoutes } from './routes.ts';
