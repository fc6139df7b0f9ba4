import { useLayoutEffect } from 'react';
import { Link } from 'react-router';
import { useIsFromServer } from '../../../site/browser/mounted.ts';
import { Button } from '../../../site/ui/controls.tsx';
import type { ConsentTexts } from '../document-part.ts';
import { consentMark, markConsent } from './consent-mark.ts';

/**
 * In the document's head: hides the bar before the first paint from visitors who have answered. Without scripts, a
 * per-visitor style sheet does; the page itself is the same for all visitors.
 */
export function ConsentMark({ mode }: Pick<ConsentTexts, 'mode'>) {
  const isFromServer = useIsFromServer();
  // The browser takes over what has run, and need not know it.
  const script = import.meta.env.SSR ? consentMark(mode) : '';
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant */}
      {isFromServer && <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />}
      <noscript>
        <link rel="stylesheet" href="/consent.css" />
      </noscript>
    </>
  );
}

/**
 * Asks for consent below the header, in the page's own flow: it covers nothing. A plain form; with scripts, `answering/`
 * handles it without leaving the page. "#consent" opens it again.
 */
export function ConsentBar({ texts }: { texts: ConsentTexts }) {
  // A browser that rebuilds the document has lost the mark.
  useLayoutEffect(() => markConsent(texts.mode), [texts.mode]);
  return (
    <>
      <section className="consent" id="consent" data-keep-clear="" aria-label={texts.name}>
        <ConsentContent {...texts} />
      </section>
      <p className="visually-hidden" role="status" id="consent-kept" />
    </>
  );
}

/** Asks after the file: while the page works on a link, the question stands below its result. */
export function AskedAfter({ texts }: { texts: ConsentTexts }) {
  return (
    <section className="consent consent-after card" data-keep-clear="" aria-label={texts.name}>
      <ConsentContent {...texts} />
    </section>
  );
}

function ConsentContent(texts: ConsentTexts) {
  const { question, policy, accept, refuse, choose, categories, save, kept, refused, close } = texts;
  return (
    <div className="container consent-content">
      <p className="consent-question">
        {question} <Link to={policy.href}>{policy.text}</Link>
      </p>
      <form className="consent-question consent-answers" method="post" action="/consent" data-kept={kept}>
        <Button strength="plain" type="submit" name="answer" value="all">
          {accept}
        </Button>
        <Button strength="plain" type="submit" name="answer" value="none">
          {refuse}
        </Button>
      </form>
      {categories.length > 0 && (
        <details className="consent-question consent-choice">
          <summary>{choose}</summary>
          <form method="post" action="/consent" data-kept={kept}>
            {categories.map(({ category, name, about }) => (
              <label key={category}>
                <input type="checkbox" name={category} value="1" />
                <span>
                  <strong>{name}</strong> {about}
                </span>
              </label>
            ))}
            <Button strength="plain" type="submit" name="answer" value="chosen">
              {save}
            </Button>
          </form>
        </details>
      )}
      <p className="consent-refused">
        {refused} <a href="#content">{close}</a>
      </p>
    </div>
  );
}
