import type { ReactNode } from 'react';

interface ProsePageProps {
  title: string;
  /** A sentence or two under the title. */
  intro?: string;
  /** The second layout: the title stands beside the text instead of above it. */
  variant: boolean;
  className?: string;
  children?: ReactNode;
}

/** A page to read: a title on the site's deep water, and text in a column of a comfortable width. */
export function ProsePage({ title, intro, variant, className = '', children }: ProsePageProps) {
  return (
    <article className={`prose-page ${variant ? 'prose-page-beside' : ''} ${className}`}>
      <header className="prose-head">
        <div className="container">
          <h1>{title}</h1>
          {intro !== undefined && <p>{intro}</p>}
        </div>
      </header>
      <div className="container prose-body">{children}</div>
    </article>
  );
}
