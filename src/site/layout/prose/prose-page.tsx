import type { ReactNode } from 'react';
import { HeadingText } from '../../ui/heading-text.tsx';
import readingStyles from './reading.css?url';

interface ProsePageProps {
  title: string;
  /** A sentence or two under the title. */
  intro?: string;
  /** The second layout: the title is beside the text instead of above it. */
  variant: boolean;
  className?: string;
  /** Breadcrumbs above the title. */
  above?: ReactNode;
  /** The byline under the title. */
  below?: ReactNode;
  children?: ReactNode;
}

/**
 * A page to read or to fill in, with its own styles: a title on the site's deep water, and text in a column of
 * comfortable width.
 */
export function ProsePage({ title, intro, variant, className = '', above, below, children }: ProsePageProps) {
  return (
    <>
      <link rel="stylesheet" href={readingStyles} precedence="default" />
      <article className={`prose-page ${variant ? 'prose-page-beside' : ''} ${className}`}>
        <header className="prose-head">
          <div className="container">
            {above}
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
