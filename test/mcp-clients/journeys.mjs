/** Returns the text that follows `before` in the newest result that has it. */
function textAfter(results, before) {
  const found = results.findLast((result) => result.includes(before));
  if (!found) throw new Error(`no ${before} in ${results.at(-1)}`);
  return found.split(before)[1].split('"')[0];
}

const PROJECT = '"project":{"id":"';

/** What the scripted model does, by the name of the journey. */
export const journeys = {
  enter: ({ projectId, file_base64 }) => [
    () => ({ name: 'find_projects', args: { status: 'open' } }),
    () => ({ name: 'quote_entry', args: { project_id: projectId } }),
    () => ({
      name: 'enter_project',
      args: {
        project_id: projectId,
        title: 'Drawn by a framework',
        fileName: 'drawn.png',
        fileType: 'image/png',
        file_base64,
        max_spend: 0.5,
      },
    }),
    () => ({ name: 'my_entries', args: {} }),
    (results) => results.at(-1),
  ],
  publish: ({ brief }) => [
    () => ({ name: 'draft_brief', args: brief }),
    (results) => ({ name: 'publish_brief', args: { project_id: textAfter(results, PROJECT), max_spend: 5 } }),
    (results) => textAfter(results, PROJECT),
  ],
  judge: ({ projectId }) => [
    () => ({ name: 'list_entries', args: { project_id: projectId } }),
    (results) => ({ name: 'score_entry', args: { ...entry(projectId, results), score: 5, feedback: 'Calm.' } }),
    (results) => ({ name: 'choose_winner', args: entry(projectId, results) }),
    (results) => ({
      name: 'choose_winner',
      args: { ...entry(projectId, results), preview_token: textAfter(results, '"token":"') },
    }),
    (results) => textAfter(results, '"winner_submission_id":"'),
  ],
  deliver: ({ projectId, submissionId }) => [
    () => ({ name: 'get_delivery', args: { project_id: projectId, submission_id: submissionId } }),
    (results) => results.at(-1),
  ],
};

/** The entry that list_entries named first. */
function entry(projectId, results) {
  return { project_id: projectId, submission_id: textAfter(results, '"submissions":[{"id":"') };
}
