// What http/limits/ offers to other folders; everything else in it is private.

export { connectLimits } from './connect.ts';
export { noteFailedPayment } from './failed-payments.ts';
export { isFailedPayment, lookAtLimits, takeLimits, takePaidLimits } from './limits-of-request.ts';
export { LimitExceeded, limitHeaders, limitTable, type LimitState, type Limits, type StoreFigures } from './limits.ts';
export { createShedder, type Shedder } from './load.ts';
export { createMemoryLimits } from './memory.ts';
export { createLimitFigures } from './metrics.ts';
