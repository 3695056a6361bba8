// Rules that oxlint does not have. Plain JavaScript, because editors load this file in their own version of Node.

// `-- why` after the rule's name, as ESLint reads it.
const directive = /^\s*(?:oxlint|eslint)-disable(?:-next-line|-line)?\b/;
const reason = /\s--\s+\S+\s+\S/;

/** The time of day comes from Deps.clock; reading another date's value (`new Date(text)`) is fine. */
const noCurrentTime = {
  meta: { type: 'problem' },
  create(context) {
    const message = 'Reads the current time; take it from Deps.clock.';
    return {
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) context.report({ node, message });
      },
      // Without `new`, Date ignores its arguments and returns the current time.
      CallExpression(node) {
        if (node.callee.name === 'Date') context.report({ node, message });
      },
    };
  },
};

/** An exception from a rule carries its reason: `// oxlint-disable-next-line max-lines -- one table, read as a whole`. */
const reasonedDisable = {
  meta: { type: 'suggestion' },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (directive.test(comment.value) && !reason.test(comment.value)) {
            context.report({ node: comment, message: 'Say why the rule does not hold here: `-- reason`.' });
          }
        }
      },
    };
  },
};

export default {
  meta: { name: 'house' },
  rules: { 'no-current-time': noCurrentTime, 'reasoned-disable': reasonedDisable },
};
