import { holdOperations } from '../../contract/projects/holds.ts';
import { judgingOperations } from '../../contract/projects/judging.ts';
import { operatorOperations } from '../../contract/operator/operator.ts';
import { posterOperations } from '../../contract/posters.ts';
import { briefFaultsOf } from '../projects/public.ts';
import { serve } from '../serve.ts';
import { awardProject } from './award-project.ts';
import { cancelProjectAsOperator } from './cancel-project-as-operator.ts';
import { cancelProject } from './cancel-project.ts';
import { chooseWinner } from './choose-winner.ts';
import { closeAndChoose } from './close-and-choose.ts';
import { closeProject } from './close-project.ts';
import { disqualifySubmission } from './disqualify-submission.ts';
import { holdPayout, releasePayout } from './hold-payout.ts';
import { noteRoutes } from './notes/public.ts';
import { noWinner } from './no-winner.ts';
import { reopenProject } from './reopen-project.ts';
import { reviewSubmission } from './review-submission.ts';
import { shareProject } from './share-project.ts';
import { updateProject } from './update-project.ts';

export const judgingRoutes = [
  serve(posterOperations.updateProject, updateProject, { furtherFaults: briefFaultsOf }),
  serve(posterOperations.cancelProject, cancelProject),
  serve(judgingOperations.closeProject, closeProject),
  serve(judgingOperations.closeAndChoose, closeAndChoose),
  serve(judgingOperations.reviewSubmission, reviewSubmission),
  serve(judgingOperations.chooseWinner, chooseWinner),
  serve(judgingOperations.noWinner, noWinner),
  serve(operatorOperations.cancelProjectAsOperator, cancelProjectAsOperator),
  serve(operatorOperations.awardProject, awardProject),
  serve(operatorOperations.shareProject, shareProject),
  serve(operatorOperations.reopenProject, reopenProject),
  serve(operatorOperations.disqualifySubmission, disqualifySubmission),
  serve(holdOperations.holdPayout, holdPayout),
  serve(holdOperations.releasePayout, releasePayout),
  ...noteRoutes,
];
