import { operatorSearchOperations } from '../../../contract/operator/search.ts';
import { serve } from '../../serve.ts';
import { searchAsOperator } from './search-as-operator.ts';

export const operatorSearchRoutes = [serve(operatorSearchOperations.searchAsOperator, searchAsOperator)];
