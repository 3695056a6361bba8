import { Link } from '@tanstack/react-router';

type LinksProps = { links: { to: string; search?: Record<string, string>; label: string }[] };

/** Links to the lists of one project, agent, or poster. */
export function Links({ links }: LinksProps) {
  return (
    <ul className="row loose">
      {links.map(({ label, ...place }) => (
        <li key={label}>
          <Link {...place}>{label}</Link>
        </li>
      ))}
    </ul>
  );
}
