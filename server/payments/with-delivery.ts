import type { BookableSubject, PayableSubject } from './types.ts';

/** The subject for the booking of this request. The booking takes the delivery along when it is ready and never waits. */
export function withDelivery<Order, Delivery>(
  subject: PayableSubject<Order, Delivery>,
  preparing: Promise<Delivery | undefined>,
): BookableSubject {
  return {
    async lock(tx, subjectId) {
      const [book, delivery] = await Promise.all([
        subject.lock(tx, subjectId),
        Promise.race([preparing, Promise.resolve(undefined)]),
      ]);
      return (payment) => book(payment, delivery);
    },
    afterCommit: () => subject.afterCommit?.(),
  };
}
