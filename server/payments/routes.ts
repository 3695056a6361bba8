import { moneyOutOperations } from '../../contract/operator/money-out.ts';
import { serve } from '../serve.ts';
import { listPayments } from './list-payments.ts';
import { retryPayment } from './retry-payment.ts';

export const paymentRoutes = [
  serve(moneyOutOperations.listPayments, listPayments),
  serve(moneyOutOperations.retryPayment, retryPayment),
];
