import { contentOf } from '../../../downloader/extractors/matrix.ts';
import type { EgressMatrix } from '../../../downloader/posts/canary/matrix.ts';
import { ActionForm, Badge, DataTable, Field, Section, Submit } from '../../../server/desk/components.tsx';
import { useShown } from '../../../server/desk/desk-view.tsx';
import type { CanaryData, CanaryShown } from './page.ts';

/** A link, read by each strategy and each egress, or its page, asked for as each identity. */
export function CanaryView({ data: { doors, jars } }: { data: CanaryData }) {
  const { tried, asked } = useShown<CanaryShown>() ?? {};
  return (
    <>
      <p>
        Reads one post by every strategy, past their circuit breakers, and through every egress; or asks for
        its page as every identity, by each HTTP version, with a cold and a warm jar of cookies. It takes up
        to 45 seconds.
      </p>
      <ActionForm action="try">
        <Field
          name="link"
          label="Link of a post"
          hint="Empty for a post of the platform's own."
          inputMode="url"
          maxLength={2000}
          dir="ltr"
        />
        <div className="desk-actions">
          <Submit>Try every strategy</Submit>
          <Submit name="as" value="matrix" strength="plain">
            Ask as every identity
          </Submit>
        </div>
      </ActionForm>
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
      {asked?.egresses.map((one) => (
        <MatrixTable key={one.egress} post={asked.post} of={one} />
      ))}
      <Section title="Identities">
        <p>What this instance was answered since its start, by strategy, identity and HTTP version.</p>
        <DataTable
          caption="Identities"
          empty="Nothing was asked yet."
          rows={doors}
          keyOf={({ strategy, identity, http }) => `${strategy} ${identity} ${http}`}
          columns={[
            { title: 'Strategy', cell: ({ strategy }) => strategy },
            { title: 'Identity', cell: ({ identity }) => identity },
            { title: 'HTTP', cell: ({ http }) => http },
            { title: 'Answered', isNumber: true, cell: ({ answered }) => answered },
            { title: 'Turned away', isNumber: true, cell: ({ refused }) => refused },
            {
              title: 'State',
              cell: ({ resting }) => (
                <Badge kind={resting ? 'bad' : 'good'}>{resting ? 'resting' : 'in use'}</Badge>
              ),
            },
          ]}
        />
      </Section>
      <Section title="Jars of cookies">
        <DataTable
          caption="Jars of cookies"
          empty="There is none yet."
          rows={jars}
          keyOf={({ egress, identity }) => `${egress} ${identity}`}
          columns={[
            { title: 'Egress', cell: ({ egress }) => egress || 'the only one' },
            { title: 'Identity', cell: ({ identity }) => identity },
            { title: 'Cookies', isNumber: true, cell: ({ cookies }) => cookies },
            { title: 'Age', isNumber: true, cell: ({ ageS }) => `${Math.round(ageS / 60)} min` },
          ]}
        />
      </Section>
    </>
  );
}

/** The answers to requests for a post's page through one egress, and advice. */
function MatrixTable({ post, of }: { post: string; of: EgressMatrix }) {
  const { proxy, matrix, advice, isCut } = of;
  return (
    <Section title={proxy === null ? post : `${post} by ${proxy}`}>
      <ul>
        {advice.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <DataTable
        caption={`What each identity got ${proxy ?? ''}`}
        empty="There was no time for any."
        rows={matrix}
        keyOf={({ identity, http, jar }) => `${identity} ${http} ${jar}`}
        columns={[
          { title: 'Identity', cell: ({ identity }) => identity },
          { title: 'HTTP', cell: ({ http }) => http },
          { title: 'Jar', cell: ({ jar }) => jar },
          {
            title: 'Came',
            cell: ({ came, note }) => (
              <>
                <Badge kind={came === 'data' ? 'good' : 'bad'}>{came}</Badge> {note}
              </>
            ),
          },
          { title: 'Size', isNumber: true, cell: ({ bytes }) => `${Math.ceil(bytes / 1000)} kB` },
          { title: 'Time', isNumber: true, cell: ({ ms }) => `${ms} ms` },
          { title: 'Content', cell: contentOf },
        ]}
      />
      {isCut && <p>The time was over before all were asked.</p>}
    </Section>
  );
}
