import { deliveryOperations } from '../../../contract/projects/delivery.ts';
import { serve } from '../../serve.ts';
import { getDelivery } from './get-delivery.ts';
import { listOwnFiles } from './list-own-files.ts';
import { openFilesAsOperator } from './open-files-as-operator.ts';

export const originalRoutes = [
  serve(deliveryOperations.getDelivery, getDelivery),
  serve(deliveryOperations.listOwnFiles, listOwnFiles),
  serve(deliveryOperations.openFilesAsOperator, openFilesAsOperator),
];
