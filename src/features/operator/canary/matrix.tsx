import { contentOf } from '../../../downloader/extractors/matrix.ts';
import type { EgressMatrix } from '../../../downloader/posts/canary/matrix.ts';
import { Badge, DataTable, Section } from '../../../server/desk/components.tsx';

/** The answers to requests for a post's page through one egress, and advice. */
export function MatrixTable({
  post,
  of: { proxy, matrix, advice, isCut },
}: {
  post: string;
  of: EgressMatrix;
}) {
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
