import { approvalOperations } from '../../contract/operator/approvals.ts';
import { peopleOperations } from '../../contract/operator/operators.ts';
import { serve } from '../serve.ts';
import { addOperator } from './add-operator.ts';
import { approveAct, rejectAct } from './decide-approval.ts';
import { confirmCodes, enrollForCodes, removeCodes } from './enroll.ts';
import { getOperator, listOperators } from './list-operators.ts';
import { revokeOperator } from './revoke-operator.ts';

export const operatorKeyRoutes = [
  serve(peopleOperations.getOperator, getOperator),
  serve(peopleOperations.listOperators, listOperators),
  serve(peopleOperations.addOperator, addOperator),
  serve(peopleOperations.revokeOperator, revokeOperator),
  serve(peopleOperations.enrollForCodes, enrollForCodes),
  serve(peopleOperations.confirmCodes, confirmCodes),
  serve(peopleOperations.removeCodes, removeCodes),
  serve(approvalOperations.approveAct, approveAct),
  serve(approvalOperations.rejectAct, rejectAct),
];
