import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Field } from '../../../server/desk/components.tsx';
import { deskSections, type ShownDesk } from '../../../server/desk/desk-page.ts';
import { DeskPageProvider, type RenderDesk } from '../../../server/desk/desk-view.tsx';
import { Button } from '../../../site/ui/controls.tsx';
import { Mark } from '../../../site/ui/icon.tsx';
import styles from './desk.css?url';

/** The document of the desk: no scripts, and no address outside of this site. */
export const renderDesk: RenderDesk = (shown, views) =>
  `<!DOCTYPE html>${renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        {shown.page.kind === 'page' && shown.page.refreshS !== null && (
          <meta httpEquiv="refresh" content={`${shown.page.refreshS}; url=${shown.page.path}`} />
        )}
        <title>{`${shown.title} · ${shown.siteName}`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={styles} precedence="default" />
      </head>
      <body className="desk">{bodyOf(shown, views)}</body>
    </html>,
  )}\n`;

function bodyOf(shown: ShownDesk, views: Parameters<RenderDesk>[1]): ReactNode {
  const { page } = shown;
  if (page.kind === 'log-in') return <LogIn shown={shown} {...page} />;
  if (page.kind === 'problem')
    return (
      <Frame shown={shown}>
        <p>{page.text}</p>
        <p>
          <a href="/operator">To the desk</a>
        </p>
      </Frame>
    );
  const View = views[page.name];
  if (View === undefined) throw new Error(`Nothing shows the page ${page.name}.`);
  return (
    <DeskPageProvider value={page}>
      <Frame shown={shown} links={page.links} current={page.name} token={page.token}>
        <View data={page.data} />
      </Frame>
    </DeskPageProvider>
  );
}

function NoticeLine({ notice }: Pick<ShownDesk, 'notice'>) {
  if (notice === null) return null;
  return (
    <p className="desk-notice" data-kind={notice.kind} role={notice.kind === 'done' ? 'status' : 'alert'}>
      {notice.text}
    </p>
  );
}

type LogInPage = Extract<ShownDesk['page'], { kind: 'log-in' }>;

/** It belongs to no session. */
const noPage = { path: '', isFirst: true, token: '', sent: {}, shown: null };

function LogIn({ shown: { siteName, notice }, to, areNamed }: LogInPage & { shown: ShownDesk }) {
  return (
    <main id="content" className="desk-log-in">
      <p className="desk-name">
        <Mark />
        <span>{siteName}</span>
      </p>
      <h1>Operator’s desk</h1>
      <NoticeLine notice={notice} />
      <DeskPageProvider value={noPage}>
        <form method="post" action="/operator/log-in" className="desk-form">
          <input type="hidden" name="to" value={to} />
          {areNamed ? (
            <Field
              {...{ name: 'name', label: 'Name', autoComplete: 'username', autoCapitalize: 'none' }}
              maxLength={80}
              required
            />
          ) : (
            // Keeps password managers from asking for a name.
            <input type="text" name="name" autoComplete="username" defaultValue="operator" hidden readOnly />
          )}
          <Field
            {...{ name: 'password', label: 'Password', type: 'password', autoComplete: 'current-password' }}
            maxLength={200}
            required
          />
          {areNamed && (
            <Field
              {...{ name: 'code', label: 'Code', inputMode: 'numeric', autoComplete: 'one-time-code' }}
              hint="From your authenticator app. Leave it empty if you have none."
              maxLength={10}
            />
          )}
          <Button type="submit" strength="action">
            Log in
          </Button>
        </form>
      </DeskPageProvider>
    </main>
  );
}

type Links = Extract<ShownDesk['page'], { kind: 'page' }>['links'];

/** On a phone the navigation is shown above the page while the address names it: that needs no script. */
function Frame(props: {
  shown: ShownDesk;
  links?: Links;
  current?: string;
  token?: string;
  children: ReactNode;
}) {
  const { shown, links = [], token } = props;
  return (
    <>
      <a className="desk-skip" href="#content">
        Skip to the page
      </a>
      <header className="desk-header">
        <a className="desk-name" href="/operator">
          <Mark />
          <span>{shown.siteName}</span>
        </a>
        {links.length > 0 && (
          <>
            <a className="desk-menu button button-plain" href="#menu">
              Menu
            </a>
            <a className="desk-menu-close button button-plain" href="#content">
              Close
            </a>
          </>
        )}
      </header>
      <div className="desk-columns">
        <main id="content">
          <h1>{shown.title}</h1>
          <NoticeLine notice={shown.notice} />
          {props.children}
        </main>
        {links.length > 0 && (
          <nav id="menu" className="desk-nav" aria-label="Desk">
            {deskSections.map((section) => {
              const ofSection = links.filter((link) => link.section === section);
              if (ofSection.length === 0) return null;
              const isOnePage = ofSection.length === 1 && ofSection[0]?.title === section;
              return (
                <div key={section}>
                  {!isOnePage && <h2>{section}</h2>}
                  <ul>
                    {ofSection.map(({ name, title }) => (
                      <li key={name}>
                        <a
                          href={`/operator/${name}`}
                          aria-current={name === props.current ? 'page' : undefined}
                        >
                          {title}
                        </a>
                      </li>
                    ))}
                  </ul>
                </div>
              );
            })}
            <form method="post" action="/operator/log-out">
              <input type="hidden" name="token" value={token} />
              <Button type="submit" strength="quiet">
                Log out
              </Button>
            </form>
          </nav>
        )}
      </div>
    </>
  );
}
