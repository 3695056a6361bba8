import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../../escape-html.ts';
import { GUIDES, HELP } from '../frame/guide-names.ts';

const FOLDER = join(import.meta.dirname, '../../../docs');
/** The address that the guides' examples name. */
const EXAMPLE_ADDRESS = 'http://127.0.0.1:4020';

/** A link to another file of the repository. */
const LINK_TO_FILE = /\[([^\]]+)\]\(((?:\.\.\/)[^)]+)\)/g;

/** The chapters of the guide for operators, and the licenses. The service publishes them at `/docs/<name>`. */
const CHAPTER = /^(?:runbooks|operators\/[\w-]+|licences\/[\w.-]+\.v\d+)$/;

/** A section of a guide, for the page's table of contents. */
export type Section = { id: string; title: string };
/** A guide as Markdown, and as the HTML of a page's content. */
export type Guide = { markdown: string; html: string; title: string; sections: Section[] };

/** Returns whether a name is that of a guide, or can be that of a chapter. */
function isPublished(name: string): boolean {
  return [...HELP, ...GUIDES].some((guide) => guide.name === name) || CHAPTER.test(name);
}

/**
 * Reads a guide or a chapter. Its examples name the address of this service, and its links lead to what this service
 * publishes.
 *
 * @throws Error ENOENT for a chapter that does not exist
 */
export async function readGuide(name: string, publicUrl: string): Promise<Guide> {
  const text = await readFile(join(FOLDER, `${name}.md`), 'utf8');
  const markdown = text
    .replaceAll(EXAMPLE_ADDRESS, publicUrl)
    .replaceAll(LINK_TO_FILE, (link, words: string, href: string) => (targetOf(href, name) === null ? words : link));
  return { markdown, ...render(markdown, name) };
}

function render(markdown: string, name: string): Omit<Guide, 'markdown'> {
  const sections: Section[] = [];
  let title = name;
  let tables = 0;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = anchorOf(text);
        if (depth === 1) title = text.replaceAll('`', '');
        if (depth === 2) sections.push({ id, title: text.replaceAll('`', '') });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${targetOf(href, name) ?? href}">${this.parser.parseInline(tokens)}</a>`;
      },
      // A keyboard can scroll only what it can focus.
      code({ text }: Tokens.Code) {
        return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
      },
      // Wide tables scroll on their own, so that the page does not.
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        tables += 1;
        const body = token.rows.map((row) => cells(row, 'td')).join('\n');
        return `<div class="table" tabindex="0" role="region" aria-label="Table ${tables}"><table><thead>${cells(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { html, title, sections };
}

/** Returns the anchor that GitHub gives a heading, because links between the guides use it. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Leads `errors.md#codes` to the page of that guide. Null for what is no published page. */
function targetOf(href: string, from: string): string | null {
  const [path = '', anchor] = href.split('#');
  const file = posix.join(posix.dirname(from), path);
  const name = file.slice(0, -'.md'.length);
  if (!file.endsWith('.md') || !isPublished(name)) return null;
  return `/docs/${name}${anchor === undefined ? '' : `#${anchor}`}`;
}
