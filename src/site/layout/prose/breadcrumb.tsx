import { Link } from 'react-router';
import { useDocument } from '../../document/document-context.tsx';
import { useTranslate } from '../../translation.tsx';

/** A step on the trail from the home page. */
interface Step {
  readonly name: string;
  readonly href: string;
}

/** The trail to a page that stands directly below the home page. */
export function usePageTrail(title: string): Step[] {
  const t = useTranslate();
  const { homePath, addresses } = useDocument();
  return [
    { name: t('menu.home'), href: homePath },
    { name: title, href: addresses.canonical ?? homePath },
  ];
}

export interface BreadcrumbProps {
  label: string;
  trail: readonly Step[];
}

/** The trail from the home page to this one; the last step is the page itself and is no link. */
export function Breadcrumb({ label, trail }: BreadcrumbProps) {
  return (
    <nav className="breadcrumb" aria-label={label}>
      <ol>
        {trail.map(({ name, href }, at) => (
          <li key={href}>
            {at === trail.length - 1 ? (
              <span aria-current="page">{name}</span>
            ) : (
              <Link to={href}>{name}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
