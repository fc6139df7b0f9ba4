import { useLoaderData } from 'react-router';
import { useMounted } from '../../../site/browser/mounted.ts';
import { ProsePage } from '../../../site/layout/prose/prose-page.tsx';
import { TranslationProvider } from '../../../site/translation.tsx';
import { Card, Notice } from '../../../site/ui/surfaces.tsx';
import { Saver } from '../browser/saver.tsx';
import type { loader } from './loader.ts';
import styles from './many-posts.css?url';

/** Saves the posts of an export; without scripts, says how that is done. */
export function ManyPostsPage() {
  const page = useLoaderData<typeof loader>();
  const isMounted = useMounted();
  return (
    <TranslationProvider locale={page.locale} messages={page.messages}>
      <ProsePage page={page} className="many">
        <link rel="stylesheet" href={styles} precedence="default" />
        <Card className="many-stage">
          {isMounted ? <Saver pace={page.pace} siteName={page.siteName} /> : null}
          <noscript>
            <Notice kind="error">{page.scripts}</Notice>
          </noscript>
        </Card>
        <aside className="many-aside">
          <p className="many-private">{page.isPrivate}</p>
          <h2>{page.how.title}</h2>
          <ol>
            {page.how.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </aside>
      </ProsePage>
    </TranslationProvider>
  );
}
