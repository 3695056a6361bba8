import type { Api } from '../api/public.ts';

/** An area of a signed-in person, as its layout and its hooks see it. */
export type AreaStore = {
  /** Sends the person's credentials with every request. A 401 ends the area. */
  api: Api;
  use(): { isOpen: boolean; owner: string; /** The service ended it. */ isExpired: boolean };
  /** Identifies the person in the query cache, so another person never sees this data. */
  owner(): string;
  forget(): void;
};
