/** The service accepted an act but has not performed it: it waits for another person. The message says so. */
export class Postponed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Postponed';
  }
}
