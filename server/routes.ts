import { endpointOperations } from '../contract/account-webhooks.ts';
import { agentOperations } from '../contract/agents/agents.ts';
import { analyticsOperations } from '../contract/agents/analytics.ts';
import { historyOperations } from '../contract/agents/history.ts';
import { keyOperations } from '../contract/keys.ts';
import { leaderboardOperations } from '../contract/agents/leaderboard.ts';
import { agentMoneyOperations } from '../contract/agents/money.ts';
import { standingOperations } from '../contract/agents/standing.ts';
import { contactOperations } from '../contract/contacts.ts';
import { eventOperations } from '../contract/events/events.ts';
import { networkOperations } from '../contract/network.ts';
import { auditOperations } from '../contract/operator/audit.ts';
import { emailOperations } from '../contract/operator/emails.ts';
import { findOperations } from '../contract/operator/find.ts';
import { moneyOutOperations } from '../contract/operator/money-out.ts';
import { moneyViewOperations } from '../contract/operator/money-view.ts';
import { operatorOperations } from '../contract/operator/operator.ts';
import { overviewOperations } from '../contract/operator/overview.ts';
import { operatorPosterOperations } from '../contract/operator/posters.ts';
import { operatorProjectOperations } from '../contract/operator/projects.ts';
import { recoveryOperations } from '../contract/operator/recovery.ts';
import { operatorSessionOperations } from '../contract/operator/sessions.ts';
import { strayOperations } from '../contract/operator/strays.ts';
import { posterOperations } from '../contract/posters.ts';
import { beforePayingOperations } from '../contract/projects/before-paying.ts';
import { deliveryOperations } from '../contract/projects/delivery.ts';
import { galleryOperations } from '../contract/projects/gallery.ts';
import { judgingOperations } from '../contract/projects/judging.ts';
import { manifestOperations } from '../contract/projects/manifest.ts';
import { marketOperations } from '../contract/projects/market.ts';
import { projectOperations } from '../contract/projects/projects.ts';
import { questionOperations } from '../contract/projects/questions.ts';
import { referenceOperations } from '../contract/projects/references.ts';
import { submissionOperations } from '../contract/projects/submissions.ts';
import { termsOperations } from '../contract/projects/terms.ts';
import { sessionOperations } from '../contract/sessions.ts';
import { webhookOperations } from '../contract/webhooks.ts';
import { createAgent } from './agents/accounts/create-agent.ts';
import { createKey, listKeys, revokeKey } from './keys/account-keys.ts';
import { endAccountSession } from './keys/account-sessions.ts';
import { challengeSession } from './keys/challenges.ts';
import { listSpecializations, specializationFaultsOf } from './agents/accounts/specializations.ts';
import { getAgentSession } from './agents/sessions/get-session.ts';
import { createAgentSession } from './agents/sessions/start-session.ts';
import { cancelWalletChange } from './agents/wallets/cancel-wallet-change.ts';
import { challengeWallet, linkWallet } from './agents/wallets/link-wallet.ts';
import { mintTestUsdc } from './chain/mint-test-usdc.ts';
import { confirmUpload } from './entries/confirmation/confirm-upload.ts';
import { createIntent } from './entries/create-intent.ts';
import { deleteIntent } from './entries/delete-intent.ts';
import { quoteEntry } from './entries/quote-entry.ts';
import { requestUpload } from './entries/request-upload.ts';
import { listEvents } from './events/list-events.ts';
import { openStream } from './events/open-stream.ts';
import { actOnProject } from './judging/act-on-project.ts';
import { awardProject } from './judging/award-project.ts';
import { cancelProjectAsOperator } from './judging/cancel-project-as-operator.ts';
import { cancelProject } from './judging/cancel-project.ts';
import { chooseWinner } from './judging/choose-winner.ts';
import { closeAndChoose } from './judging/close-and-choose.ts';
import { closeProject } from './judging/close-project.ts';
import { disqualifySubmission } from './judging/disqualify-submission.ts';
import { noWinner } from './judging/no-winner.ts';
import { noteEntry } from './judging/notes/note-entry.ts';
import { reviewSubmission } from './judging/review-submission.ts';
import { updateProject } from './judging/update-project.ts';
import { getContact } from './mail/contacts.ts';
import { setContact } from './mail/set-contact.ts';
import { beginOperatorSignIn, createOperatorSession } from './operators/start-session.ts';
import { deleteOperatorSession } from './operators/end-session.ts';
import { getOperatorSession } from './operators/get-session.ts';
import { retryPayment } from './payments/retry-payment.ts';
import { retryPayout } from './payouts/retry-payout.ts';
import { returnStray } from './payouts/strays.ts';
import { withdrawRevenue } from './payouts/withdraw-revenue.ts';
import { createPoster } from './posters/create-poster.ts';
import { createSession } from './posters/create-session.ts';
import { getSession, renamePoster } from './posters/get-session.ts';
import { addReference, removeReference } from './projects/briefs/add-reference.ts';
import { confirmReference } from './projects/briefs/confirm-reference.ts';
import { deleteProject, draftProject } from './projects/draft-project.ts';
import { briefFaultsOf } from './projects/editing.ts';
import { getOwnProject } from './projects/own-view.ts';
import { publishProject } from './projects/publish-project.ts';
import { searchProjects } from './projects/search/search-projects.ts';
import { getLicence, listLicences } from './projects/terms/get-licence.ts';
import { getTerms } from './projects/terms/get-terms.ts';
import { answerQuestion } from './questions/answer-question.ts';
import { askQuestion } from './questions/ask-question.ts';
import { moderateQuestion } from './questions/moderate-question.ts';
import { getLedger } from './reconciliation/check-ledger.ts';
import { adoptTransfer } from './reconciliation/recovery/adopt-transfer.ts';
import { getAgentMoney } from './agents/profiles/get-agent-money.ts';
import { getAgent, setAgentStatus } from './agents/profiles/get-agent.ts';
import { getAnalytics } from './agents/profiles/get-analytics.ts';
import { getMe, updateMe } from './agents/profiles/get-me.ts';
import { getPublicAgent } from './agents/profiles/get-public-agent.ts';
import { listAgents } from './agents/profiles/list-agents.ts';
import { listAudit } from './operators/desk/list-audit.ts';
import { listWebhookDeliveries } from './operators/desk/list-webhook-deliveries.ts';
import { getDelivery } from './delivery/get-delivery.ts';
import { listOwnFiles } from './delivery/list-own-files.ts';
import { openFilesAsOperator } from './delivery/open-files-as-operator.ts';
import { listEntries } from './judging/gallery/list-entries.ts';
import { listPublicEntries } from './judging/gallery/list-public-entries.ts';
import { listHistory } from './entries/own/list-history.ts';
import { listLeaderboard } from './agents/rankings/list-leaderboard.ts';
import { getManifest } from './delivery/delivery-manifest.ts';
import { getMarket } from './projects/market/get-market.ts';
import { getProject } from './projects/market/get-project.ts';
import { getPublicProject } from './projects/market/get-public-project.ts';
import { listPublicProjects } from './projects/market/list-public-projects.ts';
import { recover } from './operators/desk/recover.ts';
import { listPayments, listPayouts, listRevenue, listStrays } from './operators/desk/money.ts';
import { getNetwork } from './ledger/get-network.ts';
import { findAsOperator } from './operators/desk/find.ts';
import { getOverview } from './operators/desk/get-overview.ts';
import { listEmails } from './operators/desk/list-emails.ts';
import { listEntriesAsOperator } from './operators/desk/list-entries.ts';
import { getProjectAsOperator, listProjectsAsOperator } from './operators/desk/projects.ts';
import { listOwnProjects } from './projects/own/list-own-projects.ts';
import { getPosterAsOperator, listPosters, setPosterStatus } from './posters/as-operator.ts';
import { getProjectMoney } from './projects/own/get-project-money.ts';
import { listProjectQuestions, listQuestions } from './questions/list-questions.ts';
import { recommendProjects } from './projects/search/recommend-projects.ts';
import { getSubmission, listSubmissions } from './entries/own/list-submissions.ts';
import { listEndpointDeliveries, replayEndpointDelivery } from './webhooks/deliveries.ts';
import {
  createEndpoint,
  deleteEndpoint,
  disableWebhook,
  listEndpoints,
  registerWebhook,
  rotateSecret,
  updateEndpoint,
} from './webhooks/endpoints.ts';
import { testEndpoint } from './webhooks/send-test.ts';
import { type Route, serve } from './serve.ts';

/** Every operation of the API with its verb. This file is long because it is one list; its order means nothing. */
export const routes: Route[] = [
  // Agents
  serve(agentOperations.createAgent, createAgent, { furtherFaults: specializationFaultsOf }),
  serve(agentOperations.listSpecializations, listSpecializations, { cached: () => '' }),
  serve(marketOperations.listPublicSpecializations, listSpecializations, { cached: () => '' }),
  serve(keyOperations.listKeys, listKeys),
  serve(keyOperations.createKey, createKey),
  serve(keyOperations.revokeKey, revokeKey),
  serve(agentOperations.getMe, getMe),
  serve(agentOperations.updateMe, updateMe, { furtherFaults: specializationFaultsOf }),
  serve(analyticsOperations.getAnalytics, getAnalytics),
  serve(leaderboardOperations.getPublicAgent, getPublicAgent),
  serve(standingOperations.listAgents, listAgents),
  serve(standingOperations.getAgent, getAgent),
  serve(standingOperations.setAgentStatus, setAgentStatus),
  serve(agentOperations.challengeWallet, challengeWallet),
  serve(agentOperations.linkWallet, linkWallet),
  serve(agentOperations.cancelWalletChange, cancelWalletChange),
  serve(sessionOperations.createAgentSession, createAgentSession),
  serve(sessionOperations.getAgentSession, getAgentSession),
  serve(sessionOperations.deleteAgentSession, endAccountSession),

  // Operators
  serve(operatorSessionOperations.beginOperatorSignIn, beginOperatorSignIn),
  serve(operatorSessionOperations.createOperatorSession, createOperatorSession),
  serve(operatorSessionOperations.getOperatorSession, getOperatorSession),
  serve(operatorSessionOperations.deleteOperatorSession, deleteOperatorSession),

  // Agents
  serve(leaderboardOperations.listLeaderboard, listLeaderboard),

  // Events
  serve(eventOperations.listAgentEvents, listEvents, { stream: openStream }),
  serve(eventOperations.listPosterEvents, listEvents, { stream: openStream }),
  serve(eventOperations.listOperatorEvents, listEvents, { stream: openStream }),

  // Webhooks and emails
  serve(webhookOperations.registerWebhook, registerWebhook),
  serve(webhookOperations.disableWebhook, disableWebhook),
  serve(endpointOperations.createAgentWebhook, createEndpoint),
  serve(endpointOperations.listAgentWebhooks, listEndpoints),
  serve(endpointOperations.updateAgentWebhook, updateEndpoint),
  serve(endpointOperations.deleteAgentWebhook, deleteEndpoint),
  serve(endpointOperations.rotateAgentWebhookSecret, rotateSecret),
  serve(endpointOperations.testAgentWebhook, testEndpoint),
  serve(endpointOperations.listAgentWebhookDeliveries, listEndpointDeliveries),
  serve(endpointOperations.replayAgentWebhookDelivery, replayEndpointDelivery),
  serve(endpointOperations.createPosterWebhook, createEndpoint),
  serve(endpointOperations.listPosterWebhooks, listEndpoints),
  serve(endpointOperations.updatePosterWebhook, updateEndpoint),
  serve(endpointOperations.deletePosterWebhook, deleteEndpoint),
  serve(endpointOperations.rotatePosterWebhookSecret, rotateSecret),
  serve(endpointOperations.testPosterWebhook, testEndpoint),
  serve(endpointOperations.listPosterWebhookDeliveries, listEndpointDeliveries),
  serve(endpointOperations.replayPosterWebhookDelivery, replayEndpointDelivery),
  serve(contactOperations.getAgentContact, getContact),
  serve(contactOperations.setAgentContact, setContact),
  serve(contactOperations.getPosterContact, getContact),
  serve(contactOperations.setPosterContact, setContact),
  serve(webhookOperations.listWebhookDeliveries, listWebhookDeliveries),

  // Projects
  serve(projectOperations.searchProjects, searchProjects, {
    cached: ({ caller }) => (caller.kind === 'agent' ? caller.tier : ''),
  }),
  serve(projectOperations.recommendProjects, recommendProjects),
  serve(posterOperations.draftProject, draftProject, { furtherFaults: briefFaultsOf }),
  serve(posterOperations.getOwnProject, getOwnProject),
  serve(posterOperations.deleteProject, deleteProject),
  serve(posterOperations.publishProject, publishProject),
  serve(posterOperations.listOwnProjects, listOwnProjects),
  serve(referenceOperations.addReference, addReference),
  serve(referenceOperations.confirmReference, confirmReference),
  serve(referenceOperations.removeReference, removeReference),

  // Entries
  serve(submissionOperations.createIntent, createIntent),
  serve(submissionOperations.deleteIntent, deleteIntent),
  serve(beforePayingOperations.quoteEntry, quoteEntry),
  serve(submissionOperations.requestUpload, requestUpload),
  serve(submissionOperations.confirmUpload, confirmUpload),
  serve(submissionOperations.listSubmissions, listSubmissions),
  serve(submissionOperations.getSubmission, getSubmission),

  // Delivery
  serve(manifestOperations.getManifest, getManifest),

  // Results of an agent
  serve(historyOperations.listHistory, listHistory),
  serve(agentMoneyOperations.getAgentMoney, getAgentMoney),

  // Judging
  serve(posterOperations.updateProject, updateProject, { furtherFaults: briefFaultsOf }),
  serve(posterOperations.cancelProject, cancelProject),
  serve(judgingOperations.closeProject, closeProject),
  serve(judgingOperations.closeAndChoose, closeAndChoose),
  serve(judgingOperations.reviewSubmission, reviewSubmission),
  serve(judgingOperations.chooseWinner, chooseWinner),
  serve(judgingOperations.noWinner, noWinner),
  serve(operatorOperations.cancelProjectAsOperator, cancelProjectAsOperator),
  serve(operatorOperations.awardProject, awardProject),
  serve(operatorOperations.disqualifySubmission, disqualifySubmission),
  serve(operatorOperations.actOnProject, actOnProject),
  serve(judgingOperations.noteEntry, noteEntry),

  // Money of a project
  serve(moneyViewOperations.getProjectMoney, getProjectMoney),

  // Posters
  serve(posterOperations.createPoster, createPoster),
  serve(keyOperations.listPosterKeys, listKeys),
  serve(keyOperations.createPosterKey, createKey),
  serve(keyOperations.revokePosterKey, revokeKey),
  serve(sessionOperations.challengeSession, challengeSession),
  serve(sessionOperations.createSession, createSession),
  serve(sessionOperations.getSession, getSession),
  serve(sessionOperations.renamePoster, renamePoster),
  serve(sessionOperations.deleteSession, endAccountSession),

  // The market
  serve(projectOperations.getProject, getProject),
  serve(marketOperations.getMarket, getMarket, { cached: () => '' }),
  serve(marketOperations.listPublicProjects, listPublicProjects, { cached: () => '' }),
  serve(marketOperations.getPublicProject, getPublicProject),

  // Projects
  serve(termsOperations.getTerms, getTerms),
  serve(termsOperations.listLicences, listLicences),
  serve(termsOperations.getLicence, getLicence),

  // Galleries
  serve(galleryOperations.listEntries, listEntries),
  serve(galleryOperations.listPublicEntries, listPublicEntries),

  // Questions
  serve(questionOperations.askQuestion, askQuestion),
  serve(questionOperations.answerQuestion, answerQuestion),
  serve(questionOperations.moderateQuestion, moderateQuestion),
  serve(questionOperations.listQuestions, listQuestions),
  serve(questionOperations.listProjectQuestions, listProjectQuestions),

  // Delivery
  serve(deliveryOperations.getDelivery, getDelivery),
  serve(deliveryOperations.listOwnFiles, listOwnFiles),
  serve(deliveryOperations.openFilesAsOperator, openFilesAsOperator),

  // Money
  serve(networkOperations.getNetwork, getNetwork),
  serve(networkOperations.mintTestUsdc, mintTestUsdc),
  serve(moneyOutOperations.retryPayment, retryPayment),
  serve(moneyOutOperations.retryPayout, retryPayout),
  serve(moneyOutOperations.withdrawRevenue, withdrawRevenue),
  serve(strayOperations.returnStray, returnStray),
  serve(operatorOperations.getLedger, getLedger),
  serve(recoveryOperations.adoptTransfer, adoptTransfer),

  // The operator’s desk
  serve(overviewOperations.getOverview, getOverview),
  serve(findOperations.findAsOperator, findAsOperator),
  serve(operatorProjectOperations.listProjectsAsOperator, listProjectsAsOperator),
  serve(operatorProjectOperations.getProjectAsOperator, getProjectAsOperator),
  serve(operatorProjectOperations.listEntriesAsOperator, listEntriesAsOperator),
  serve(emailOperations.listEmails, listEmails),
  serve(operatorPosterOperations.listPosters, listPosters),
  serve(operatorPosterOperations.getPosterAsOperator, getPosterAsOperator),
  serve(operatorPosterOperations.setPosterStatus, setPosterStatus),
  serve(moneyOutOperations.listPayments, listPayments),
  serve(moneyOutOperations.listPayouts, listPayouts),
  serve(moneyOutOperations.listRevenue, listRevenue),
  serve(strayOperations.listStrays, listStrays),
  serve(recoveryOperations.recover, recover),
  serve(auditOperations.listAudit, listAudit),
];
