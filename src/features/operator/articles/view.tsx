import { MemoryRouter } from 'react-router';
import { ActionButton, Badge, DataTable, Section, Time } from '../../../server/desk/components.tsx';
import { CoverPicture } from '../../../site/articles/cards/article-cards.tsx';
import { RichTextBody } from '../../../site/articles/rich-text.tsx';
import { Button } from '../../../site/ui/controls.tsx';
import { ImportSections } from './import/import-sections.tsx';
import type { ArticlesData } from './page.ts';
import styles from './preview.css?url';

type Of<Kind extends ArticlesData['kind']> = Extract<ArticlesData, { kind: Kind }>;
type Listed = Of<'list'>['articles'][number];

const home = '/operator/articles';
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const Day = ({ at }: { at: number }) => (
  <time dateTime={dayOf(at)} className="desk-day">
    {dayOf(at)}
  </time>
);

/** The English text, which the others are translations of. */
const originalOf = <One extends { readonly locale: string }>(languages: readonly One[]) =>
  languages.find(({ locale }) => locale === 'en');

const State = ({ unpublishedAt }: { unpublishedAt: number | null }) =>
  unpublishedAt === null ? <Badge kind="good">published</Badge> : <Badge kind="bad">unpublished</Badge>;

/** Whether a translation is older than the English text. */
const isOld = (updatedAt: number, originalAt: number | null) => originalAt !== null && updatedAt < originalAt;

/** One button that publishes, or unpublishes. @param locale empty for all languages */
function Change(props: { article: string; locale: string; isPublished: boolean; children: string }) {
  const { article, locale, isPublished, children } = props;
  return (
    <ActionButton action={isPublished ? 'unpublish' : 'publish'} values={{ key: article, locale }}>
      {children}
    </ActionButton>
  );
}

/** All languages of an article side by side; what is not as the English text says its state and date. */
function Languages({ article: { key, languages, missing } }: { article: Listed }) {
  const originalAt = originalOf(languages)?.updatedAt ?? null;
  return (
    <ul className="desk-languages">
      {languages.map(({ locale, name, updatedAt, unpublishedAt }) => {
        const old = isOld(updatedAt, originalAt);
        const state = unpublishedAt !== null ? 'unpublished' : old ? 'old' : 'published';
        return (
          <li key={locale} data-state={state}>
            <a href={`${home}/${key}/${locale}`} title={`${name}: ${state}, ${dayOf(updatedAt)}`}>
              <strong>{locale}</strong>
              {state !== 'published' && <span>{state}</span>}
              {old && <Day at={updatedAt} />}
            </a>
          </li>
        );
      })}
      {missing.length > 0 && <li>not in {missing.join(', ')}</li>}
    </ul>
  );
}

function ListView({ data }: { data: Of<'list'> }) {
  const { articles, find, isUnpublished, unpublished, isFirst, next, last, maxMb } = data;
  const more = new URLSearchParams({
    ...(find !== '' && { find }),
    ...(isUnpublished && { show: 'unpublished' }),
    after: next ?? '',
  });
  return (
    <>
      <ImportSections last={last} maxMb={maxMb} />
      <Section title="Articles">
        <form className="desk-find" method="get" action={home}>
          <div className="desk-field">
            <label htmlFor="field-find">Name or address</label>
            <input id="field-find" name="find" maxLength={500} defaultValue={find} dir="ltr" />
          </div>
          <Button type="submit" strength="plain">
            Find
          </Button>
        </form>
        <p>
          {isUnpublished ? (
            <a href={home}>All articles</a>
          ) : (
            <a href={`${home}?show=unpublished`}>Only unpublished</a>
          )}
          {`. Unpublished texts: ${unpublished}`}
        </p>
        <DataTable
          caption="Articles with their languages"
          empty="There is none."
          rows={articles}
          keyOf={({ key }) => key}
          columns={[
            {
              title: 'Article',
              cell: ({ key, languages }) => (
                <>
                  <a href={`${home}/${key}`}>{key}</a>
                  <br />
                  <bdi>{(originalOf(languages) ?? languages[0])?.title}</bdi>
                </>
              ),
            },
            {
              title: 'Updated',
              cell: ({ languages }) => <Day at={(originalOf(languages) ?? languages[0])?.updatedAt ?? 0} />,
            },
            { title: 'Languages', cell: (article) => <Languages article={article} /> },
          ]}
        />
        {(!isFirst || next !== null) && (
          <nav className="desk-pager" aria-label="Pages">
            {!isFirst && <a href={home}>First</a>}
            {next !== null && <a href={`${home}?${more}`}>Next</a>}
          </nav>
        )}
      </Section>
    </>
  );
}

function ArticleView({ data: { key, languages, missing, originalAt } }: { data: Of<'article'> }) {
  const shown = languages.filter(({ unpublishedAt }) => unpublishedAt === null).length;
  return (
    <>
      <p>
        <a href={home}>All articles</a>
      </p>
      <h2>
        <bdi>{key}</bdi>
      </h2>
      <p>
        An unpublished article is a 404, and in no list, feed or sitemap. It stays unpublished through
        imports, until you publish it.
      </p>
      <div className="desk-actions">
        {shown < languages.length && (
          <Change article={key} locale="" isPublished={false}>
            Publish in all languages
          </Change>
        )}
        {shown > 0 && (
          <Change article={key} locale="" isPublished>
            Unpublish in all languages
          </Change>
        )}
      </div>
      <DataTable
        caption="Languages"
        empty="None."
        rows={languages}
        keyOf={({ locale }) => locale}
        columns={[
          { title: 'Language', cell: ({ locale, name }) => `${locale} · ${name}` },
          {
            title: 'Text',
            cell: ({ locale, title, href, unpublishedAt }) => (
              <>
                <a href={`${home}/${key}/${locale}`}>
                  <bdi>{title}</bdi>
                </a>
                {unpublishedAt === null && href !== null && (
                  <>
                    <br />
                    <a href={href}>On the site</a>
                  </>
                )}
              </>
            ),
          },
          {
            title: 'State',
            cell: ({ unpublishedAt, updatedAt }) => (
              <>
                <State unpublishedAt={unpublishedAt} />{' '}
                {isOld(updatedAt, originalAt) && <Badge kind="plain">older than English</Badge>}
                {unpublishedAt !== null && (
                  <>
                    <br />
                    since <Time at={unpublishedAt} />
                  </>
                )}
              </>
            ),
          },
          { title: 'Published', cell: ({ publishedAt }) => <Day at={publishedAt} /> },
          { title: 'Updated', cell: ({ updatedAt }) => <Day at={updatedAt} /> },
          {
            title: 'Change',
            cell: ({ locale, unpublishedAt }) => (
              <Change article={key} locale={locale} isPublished={unpublishedAt === null}>
                {unpublishedAt === null ? 'Unpublish' : 'Publish'}
              </Change>
            ),
          },
        ]}
      />
      {missing.length > 0 && <p>It is not written in {missing.join(', ')}.</p>}
    </>
  );
}

function PreviewView({ data }: { data: Of<'preview'> }) {
  const { key, locale, unpublishedAt, href, title, description, cover, nodes } = data;
  const isPublished = unpublishedAt === null;
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="default" />
      <p>
        <a href={`${home}/${key}`}>All languages of this article</a>
      </p>
      <p>
        <State unpublishedAt={unpublishedAt} /> in {locale}, published <Day at={data.publishedAt} />, updated{' '}
        <Day at={data.updatedAt} />, {isPublished ? <a href={href}>on the site</a> : <bdi>{href}</bdi>}
      </p>
      <Change article={key} locale={locale} isPublished={isPublished}>
        {isPublished ? 'Take it back' : 'Publish it'}
      </Change>
      <article className="desk-preview" lang={data.lang} dir={data.direction}>
        <h2>{title}</h2>
        <p>{description}</p>
        {cover !== null && <CoverPicture picture={cover} sizes="(min-width: 48rem) 44rem, 92vw" />}
        <MemoryRouter>
          <RichTextBody nodes={nodes} />
        </MemoryRouter>
      </article>
    </>
  );
}

/** Articles: a list, one with all its languages, and one in one language. */
export function ArticlesView({ data }: { data: ArticlesData }) {
  if (data.kind === 'list') return <ListView data={data} />;
  return data.kind === 'article' ? <ArticleView data={data} /> : <PreviewView data={data} />;
}
