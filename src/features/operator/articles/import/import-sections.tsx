import {
  ActionForm,
  Check,
  DataTable,
  Facts,
  Section,
  Submit,
  Time,
} from '../../../../server/desk/components.tsx';
import { useShown } from '../../../../server/desk/desk-view.tsx';
import type { Uploaded } from './imports.ts';

/** Findings of a check or an import. */
function Result({ uploaded }: { uploaded: Uploaded }) {
  const { result, dryRun, at } = uploaded;
  if (result === null)
    return (
      <p>
        Begun <Time at={at} />: it still runs. <a href="/operator/articles">Look again</a>
      </p>
    );
  if (result.kind === 'failed') return <p>{result.text}</p>;
  if (result.kind === 'refused')
    return (
      <>
        <DataTable
          caption="Mistakes"
          empty="None."
          rows={result.problems}
          keyOf={(problem) => result.problems.indexOf(problem)}
          columns={[
            { title: 'File', cell: ({ file }) => <bdi>{file}</bdi> },
            { title: 'Line', isNumber: true, cell: ({ line }) => (line === 0 ? '–' : line) },
            { title: 'Mistake', cell: ({ reason }) => <bdi>{reason}</bdi> },
          ]}
        />
        {result.more > 0 && <p>{result.more} more.</p>}
      </>
    );
  const { articles, categories, authors, pictures } = result.report;
  return (
    <Facts
      facts={[
        ['Begun', <Time key="begun" at={at} />],
        ['Articles', `${articles.added} new, ${articles.changed} changed, ${articles.unchanged} unchanged`],
        ['Beside them', `${categories} categories, ${authors} authors`],
        ...(dryRun ? [] : [['Pictures made', pictures] as const]),
      ]}
    />
  );
}

/** The form for an archive, and what came of the last one. */
export function ImportSections({ last, maxMb }: { last: Uploaded | null; maxMb: number }) {
  const shown = useShown<Uploaded>() ?? last;
  return (
    <>
      {shown !== null && (
        <Section title={shown.dryRun ? 'What an import would do' : 'What the import did'}>
          <Result uploaded={shown} />
        </Section>
      )}
      <Section title="Import">
        <p>
          A zip of a folder like <code>content/</code>, of at most {maxMb} MB. Everything is checked first:
          with one mistake nothing changes. Articles that are not in it stay.
        </p>
        <ActionForm action="bring" hasFile>
          <Check name="unpublished" label="New articles stay unpublished" isChecked />
          <div className="desk-field">
            <label htmlFor="field-file">Zip</label>
            <p id="hint-file" className="desk-hint">
              Published articles change for readers at once. Those that you have unpublished stay unpublished.
            </p>
            <input
              id="field-file"
              name="file"
              type="file"
              accept=".zip,application/zip"
              aria-describedby="hint-file"
              required
            />
          </div>
          <div className="desk-actions">
            <Submit name="how" value="check">
              Check it
            </Submit>
            <Submit name="how" value="import" strength="plain">
              Import it
            </Submit>
          </div>
        </ActionForm>
      </Section>
    </>
  );
}
