// The public interface of views/recommended/. Everything else in the folder is private.

export { recommendedRoutes } from './routes.ts';
