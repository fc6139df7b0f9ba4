import { MemoryRouter } from 'react-router';
import { ActionButton, Badge, DataTable, Section } from '../../../server/desk/components.tsx';
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
  const originalAt = originalOf(languages)?.updatedAt ?? 0;
  return (
    <ul className="desk-languages">
      {languages.map(({ locale, name, updatedAt, unpublishedAt }) => {
        const old = updatedAt < originalAt;
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
  const { articles, find, isUnpublished, isFirst, next, last, maxMb } = data;
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
        </p>
        <p>
          An unpublished article is a 404, and in no list, feed or sitemap. It stays unpublished through
          imports, until you publish it.
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
                  {key}
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
            {
              title: 'All languages',
              cell: ({ key, languages }) => {
                const shown = languages.filter(({ unpublishedAt }) => unpublishedAt === null).length;
                return (
                  <>
                    {shown < languages.length && (
                      <Change article={key} locale="" isPublished={false}>
                        Publish
                      </Change>
                    )}
                    {shown > 0 && (
                      <Change article={key} locale="" isPublished>
                        Unpublish
                      </Change>
                    )}
                  </>
                );
              },
            },
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

function PreviewView({ data }: { data: Of<'preview'> }) {
  const { key, locale, unpublishedAt, href, title, description, cover, nodes } = data;
  const isPublished = unpublishedAt === null;
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="default" />
      <p>
        <a href={`${home}?find=${key}`}>All languages of this article</a>
      </p>
      <p>
        <Badge kind={isPublished ? 'good' : 'bad'}>{isPublished ? 'published' : 'unpublished'}</Badge> in{' '}
        {locale}, published <Day at={data.publishedAt} />, updated <Day at={data.updatedAt} />,{' '}
        {isPublished ? <a href={href}>on the site</a> : <bdi>{href}</bdi>}
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

/** Articles: a list with all their languages, and one in one language. */
export const ArticlesView = ({ data }: { data: ArticlesData }) =>
  data.kind === 'list' ? <ListView data={data} /> : <PreviewView data={data} />;
