import { moneyOutOperations } from '../../contract/operator/money-out.ts';
import { serve } from '../serve.ts';
import { retryPayment } from './retry-payment.ts';

export const paymentRoutes = [serve(moneyOutOperations.retryPayment, retryPayment)];
