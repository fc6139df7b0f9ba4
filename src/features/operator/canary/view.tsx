import { Badge, DataTable, DeedForm, Field, Section, Submit } from '../../../web/desk/components.tsx';
import { useShown } from '../../../web/desk/desk-view.tsx';
import type { Tried } from './try-egresses.ts';

/** A link, read by each strategy and each egress. */
export function CanaryView() {
  const tried = useShown<Tried>();
  return (
    <>
      <p>
        Reads one post by every strategy, past their circuit breakers, and through every egress. It takes up
        to 45 seconds.
      </p>
      <DeedForm deed="try">
        <Field name="link" label="Link of a post" inputMode="url" maxLength={2000} required dir="ltr" />
        <Submit>Try it</Submit>
      </DeedForm>
      {tried?.egresses.map(({ egress, rows, isCut }) => (
        <Section key={egress} title={egress === '' ? tried.post : `${tried.post} by ${egress}`}>
          <DataTable
            caption={`What each strategy gave ${egress}`}
            empty="There was no time for any."
            rows={rows}
            keyOf={({ name }) => name}
            columns={[
              { title: 'Strategy', cell: ({ name }) => name },
              {
                title: 'Outcome',
                cell: ({ ok }) => <Badge kind={ok ? 'good' : 'bad'}>{ok ? 'read' : 'failed'}</Badge>,
              },
              { title: 'Time', isNumber: true, cell: ({ ms }) => `${Math.round(ms)} ms` },
              { title: 'Gave', cell: ({ found, note }) => `${found} ${note}`.trim() },
              {
                title: 'Files',
                cell: ({ files }) => (
                  <ul>
                    {files.map((file) => (
                      <li key={file}>{file}</li>
                    ))}
                  </ul>
                ),
              },
            ]}
          />
          {isCut && <p>The time was over before all were tried.</p>}
        </Section>
      ))}
    </>
  );
}
