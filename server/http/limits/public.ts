// Rate limits and load shedding: the public interface of http/limits/.

export { connectLimits } from './connect.ts';
export { createMemoryLimits } from './counters.ts';
export { reportQuota } from './daily-quota.ts';
export { noteFailedPayment } from './failed-payments.ts';
export { type CountedRequest, isFailedPayment, peekLimits, takeLimits, takeRegistration } from './limits-of-request.ts';
export { LimitExceeded, limitHeaders, limitTable, type LimitState, type Limits, type StoreMetrics } from './limits.ts';
export { createShedder, type Shedder } from './load.ts';
export { createLimitMetrics } from './metrics.ts';
