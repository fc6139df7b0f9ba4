import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useDocument } from '../../document/document-context.tsx';
import { useTranslate } from '../../translation.tsx';
import { HeadingText } from '../../ui/heading-text.tsx';
import { PageHead, type PageHeadProps } from '../head/page-head.tsx';
import readingStyles from './reading.css?url';

interface ProsePageProps extends Pick<PageHeadProps, 'structuredData' | 'type' | 'image'> {
  page: {
    readonly head: Pick<PageHeadProps, 'title' | 'description' | 'keywords'>;
    readonly title: string;
    /** A sentence or two under the title. */
    readonly intro?: string;
    /** The second layout: the title is beside the text instead of above it. */
    readonly variant?: boolean;
    /** Above the title; a page without stands directly below the home page. */
    readonly breadcrumb?: BreadcrumbProps;
  };
  className?: string;
  /** The byline under the title. */
  below?: ReactNode;
  children?: ReactNode;
}

/**
 * A page to read or to fill in, with its own styles: a title on the site's deep water, and text in a column of
 * comfortable width. Search engines learn its trail.
 */
export function ProsePage({ page, className = '', below, children, ...rest }: ProsePageProps) {
  const { head, title, intro, variant = false, breadcrumb } = page;
  const site = useDocument();
  const trail = usePageTrail(title);
  return (
    <>
      <PageHead
        {...head}
        {...rest}
        structuredData={(words) => [
          ...(rest.structuredData?.(words) ?? []),
          words.breadcrumbs(site, breadcrumb?.trail ?? trail),
        ]}
      />
      <link rel="stylesheet" href={readingStyles} precedence="default" />
      <article className={`prose-page ${variant ? 'prose-page-beside' : ''} ${className}`}>
        <header className="prose-head">
          <div className="container">
            {breadcrumb && <Breadcrumb {...breadcrumb} />}
            <h1>
              <HeadingText>{title}</HeadingText>
            </h1>
            {intro !== undefined && <p>{intro}</p>}
            {below}
          </div>
        </header>
        <div className="container prose-body">{children}</div>
      </article>
    </>
  );
}

/** A step on the trail from the home page. */
interface Step {
  readonly name: string;
  readonly href: string;
}

/** The trail to a page that stands directly below the home page. */
function usePageTrail(title: string): Step[] {
  const t = useTranslate();
  const { homePath, addresses } = useDocument();
  return [
    { name: t('menu.home'), href: homePath },
    { name: title, href: addresses.canonical ?? homePath },
  ];
}

interface BreadcrumbProps {
  label: string;
  trail: readonly Step[];
}

/** The trail from the home page to this one; the last step is the page itself and is no link. */
function Breadcrumb({ label, trail }: BreadcrumbProps) {
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
