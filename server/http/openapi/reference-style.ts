/** Gives the renderer of the reference the look of the console. It follows the renderer's own style sheet. */
export const REFERENCE_STYLE = `#content { max-width: 1200px; margin: 0 auto; padding: 8px 20px 64px; }
html.dark-mode, html.dark-mode .swagger-ui, .swagger-ui, .swagger-ui .scheme-container,
html.dark-mode .swagger-ui .scheme-container { background: var(--paper); color: var(--ink); }
.swagger-ui .wrapper { max-width: none; padding: 0; }
.swagger-ui, .swagger-ui .info li, .swagger-ui .info p, .swagger-ui .info table, .swagger-ui .btn, .swagger-ui select,
.swagger-ui label, .swagger-ui .opblock .opblock-summary-description, .swagger-ui .opblock-description-wrapper p,
.swagger-ui .response-col_status, .swagger-ui .response-col_links, .swagger-ui table thead tr td, .swagger-ui table thead tr th,
.swagger-ui .tab li, .swagger-ui .parameter__name { font-family: var(--sans); }
.swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .info h1, .swagger-ui .info h2, .swagger-ui section.models h4 {
  font-family: var(--display); color: var(--ink); }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp, html.dark-mode .swagger-ui .info .title small { background: var(--raised); }
.swagger-ui .info .title small pre, html.dark-mode .swagger-ui .info .title small pre { color: var(--ink); }
.swagger-ui .info p, .swagger-ui .info li, .swagger-ui .opblock .opblock-summary-description,
.swagger-ui .opblock-tag small, .swagger-ui .parameter__type, .swagger-ui .parameter__in { color: var(--ink-soft); }
.swagger-ui .info a, .swagger-ui a, html.dark-mode .swagger-ui a { color: var(--accent); text-decoration: underline; }
.swagger-ui .opblock a.nostyle { color: inherit; text-decoration: none; }
.swagger-ui .opblock, html.dark-mode .swagger-ui .opblock { background: var(--surface); border-color: var(--line); border-radius: 10px;
  box-shadow: none; }
.swagger-ui .opblock .opblock-summary, html.dark-mode .swagger-ui .opblock .opblock-summary { border-color: var(--line); }
.swagger-ui .opblock .opblock-summary-method, html.dark-mode .swagger-ui .opblock .opblock-summary-method {
  background: var(--raised); border: 1px solid var(--line-strong); color: var(--ink); text-shadow: none; }
.swagger-ui .opblock .opblock-section-header, html.dark-mode .swagger-ui .opblock .opblock-section-header {
  background: var(--raised); border-color: var(--line); box-shadow: none; }
.swagger-ui .opblock-tag, html.dark-mode .swagger-ui .opblock-tag { border-color: var(--line); }
.swagger-ui .btn.authorize, html.dark-mode .swagger-ui .btn.authorize { border-color: var(--accent); color: var(--accent); }
.swagger-ui .btn.authorize svg, html.dark-mode .swagger-ui .btn.authorize svg { fill: currentColor; }
.swagger-ui .btn.execute, html.dark-mode .swagger-ui .btn.execute { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
.swagger-ui :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;
