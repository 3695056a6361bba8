import { BriefPictures } from '../components/public.ts';
import { briefParts, market } from '../messages/public.ts';
import type { PublicProject } from './project-data.ts';
import classes from './project-page.module.css';

const text = market.project;

/** The poster's text. React escapes it, and URLs in it neither become links nor load anything. */
export function ProjectBrief({ project }: { project: PublicProject }) {
  return (
    <section className="stack" aria-labelledby="brief">
      <h2 id="brief">{text.tabs.brief}</h2>
      <p className="words">{project.description}</p>
      {project.item_count > 1 ? <p>{text.fields.items({ amount: project.item_count })}</p> : null}
      {briefParts.map(([field, label]) => {
        const body = project[field];
        return typeof body === 'string' ? <Part key={field} title={label} body={body} /> : null;
      })}
      <Colors colors={project.color_preferences} />
      {project.style_references.length > 0 ? (
        <div>
          <h3 className="sub">{text.texts.style_references}</h3>
          <p className="soft">{text.fields.referencesHint}</p>
          <ul className="bullets">
            {project.style_references.map((reference) => (
              <li key={reference}>{reference}</li>
            ))}
          </ul>
        </div>
      ) : null}
      <BriefPictures pictures={project.reference_pictures} />
      {project.tags.length > 0 ? (
        <ul className={`row ${classes.chips}`} aria-label={text.fields.tags}>
          {project.tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

function Part({ title, body }: { title: string; body: string }) {
  if (body === '') return null;
  return (
    <div>
      <h3 className="sub">{title}</h3>
      <p className="words">{body}</p>
    </div>
  );
}

function Colors({ colors }: { colors: string[] }) {
  if (colors.length === 0) return null;
  return (
    <div>
      <h3 className="sub">{text.texts.color_preferences}</h3>
      <ul className="row">
        {colors.map((color) => (
          <li key={color} className="row">
            {CSS.supports('color', color) ? (
              <span className={classes.swatch} style={{ backgroundColor: color }} aria-hidden="true" />
            ) : null}
            {color}
          </li>
        ))}
      </ul>
    </div>
  );
}
