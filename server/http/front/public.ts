// The texts that lead a client from the address alone to the API: the public interface of http/front/.

export { mountFront } from './front.ts';
export { linkHeader } from './links.ts';
