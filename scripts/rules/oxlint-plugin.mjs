// Lint rules that oxlint does not have. Plain JavaScript, because an editor loads this file with its own Node version.
// oxlint builds the syntax tree of a file for this plugin only if a rule returns visitors.
// So a rule first searches the text, and rules for comments visit nothing.

// The reason of a disable comment: `-- why` after the name of the rule, as in ESLint.
const directive = /^\s*(?:oxlint|eslint)-disable(?:-next-line|-line)?\b/;
const reason = /\s--\s+\S+\s+\S/;

/** Forbids reading the current time: it comes from Deps.clock. `new Date(text)` is allowed. */
const noCurrentTime = {
  meta: { type: 'problem' },
  create(context) {
    if (!/\bDate\b/.test(context.sourceCode.text)) return {};
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

/** Forbids types made from functions of `JSON`, such as `ReturnType<typeof JSON.parse>`: they are `any` without the word. */
const noTypeOfJson = {
  meta: { type: 'problem' },
  create(context) {
    const { text } = context.sourceCode;
    if (!/\btypeof\b/.test(text) || !/\bJSON\b/.test(text)) return {};
    return {
      TSTypeQuery(node) {
        const name = context.sourceCode.getText(node.exprName);
        if (/^(?:globalThis\.)?JSON\b/.test(name)) {
          context.report({ node, message: 'This type is `any`; write the type of the value, or `unknown`.' });
        }
      },
    };
  },
};

/** Requires a reason for each disabled rule: `// oxlint-disable-next-line max-lines -- one table, read as a whole`. */
const reasonedDisable = {
  meta: { type: 'suggestion' },
  create(context) {
    for (const comment of context.sourceCode.getAllComments()) {
      if (directive.test(comment.value) && !reason.test(comment.value)) {
        context.report({ node: comment, message: 'Say why the rule does not hold here: `-- reason`.' });
      }
    }
    return {};
  },
};

// A few characters more than the formatter's width, because it wraps no prose.
const COMMENT_WIDTH = 128;

/** Keeps lines of comments short enough to read beside the code. Lines of one long word, such as an address, may be longer. */
const commentWidth = {
  meta: { type: 'layout' },
  create(context) {
    for (const comment of context.sourceCode.getAllComments()) {
      const { line, column } = comment.loc.start;
      comment.value.split('\n').forEach((text, index) => {
        const width = index === 0 ? column + 2 + text.length : text.length;
        if (width <= COMMENT_WIDTH || /\S{80}/.test(text)) return;
        const at = { line: line + index, column: 0 };
        context.report({
          loc: { start: at, end: at },
          message: `Wrap this comment at ${COMMENT_WIDTH} characters.`,
        });
      });
    }
    return {};
  },
};

export default {
  meta: { name: 'house' },
  rules: {
    'comment-width': commentWidth,
    'no-current-time': noCurrentTime,
    'no-type-of-json': noTypeOfJson,
    'reasoned-disable': reasonedDisable,
  },
};
