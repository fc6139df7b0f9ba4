import {
  ActionButton,
  ActionForm,
  Badge,
  DataTable,
  Facts,
  Pager,
  Section,
  Submit,
  TextField,
  Time,
  Written,
} from '../../../server/desk/components.tsx';
import type { DeskViews } from '../../../server/desk/desk-view.tsx';
import type { MessagesData } from './page.ts';

const kinds = { sent: 'good', waiting: 'plain', failed: 'bad', unwanted: 'plain' } as const;
/** The states of a mail, in the desk's words. */
const words = { sent: 'mailed', waiting: 'mail waits', failed: 'not mailed', unwanted: 'by a program' };

type MailState = keyof typeof kinds;

const State = ({ state }: { state: MailState }) => <Badge kind={kinds[state]}>{words[state]}</Badge>;

/** `on_behalf` is "On behalf". */
const titleOf = (field: string) => `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')}`;

function MessageList({ messages, before }: Extract<MessagesData, { kind: 'list' }>) {
  return (
    <>
      <DataTable
        caption="Messages"
        empty="Nobody has written."
        rows={messages}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Subject',
            cell: ({ id, reference, subject }) => (
              <a href={`/operator/messages/${id}`}>
                #{id} {reference} <bdi>{subject}</bdi>
              </a>
            ),
          },
          { title: 'From', cell: ({ name, email }) => <bdi>{`${name} (${email})`}</bdi> },
          { title: 'Form', cell: ({ form, locale }) => `${form}, ${locale}` },
          { title: 'When', cell: ({ madeAt }) => <Time at={madeAt} /> },
          { title: 'To you', cell: ({ mailState }) => <State state={mailState} /> },
        ]}
      />
      <Pager before={before} />
    </>
  );
}

function OneMessage({ message, answers, canAnswer }: Extract<MessagesData, { kind: 'message' }>) {
  const { id, reference, form, locale, email, fields, madeAt, mailState } = message;
  const { subject = '', ...others } = fields;
  return (
    <>
      <p>
        <a href="/operator/messages">All messages</a>
      </p>
      <Facts
        facts={[
          ['Number', `#${id}`],
          // The writer has it, and names it in further mails.
          ['Reference', reference],
          ['Form', `${form}, ${locale}`],
          ['When', <Time key="time" at={madeAt} />],
          ['To you', <State key="state" state={mailState} />],
          ...(subject === '' ? [] : [['Subject', <bdi key="subject">{subject}</bdi>] as const]),
        ]}
      />
      {Object.entries(others).map(([name, value]) => (
        <Section key={name} title={titleOf(name)}>
          <Written text={value} lang={locale} />
        </Section>
      ))}
      {answers.map((answer) => (
        <Section key={answer.id} title="Your answer">
          <p>
            <Time at={answer.madeAt} /> <State state={answer.mailState} />
          </p>
          <Written text={answer.text} />
        </Section>
      ))}
      <Section title="Answer">
        {canAnswer ? (
          <ActionForm action="answer">
            <TextField
              name="text"
              label={`To ${email}`}
              hint="The message is quoted below it. Answers to it go to the site’s contact address."
              rows={10}
              maxLength={10_000}
              dir="auto"
              required
            />
            <Submit>Send the answer</Submit>
          </ActionForm>
        ) : (
          <p>
            There is no mail server (<code>SMTP_URL</code> and <code>CONTACT_TO</code>). Answer with your own
            mail program: <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
          </p>
        )}
      </Section>
      <Section title="Delete">
        <p>The message and your answers are deleted at once, and cannot be brought back.</p>
        <ActionButton action="delete">{`Delete message ${id}`}</ActionButton>
      </Section>
    </>
  );
}

/** Visitors' messages. */
function MessagesView({ data }: { data: MessagesData }) {
  return data.kind === 'list' ? <MessageList {...data} /> : <OneMessage {...data} />;
}

export default { messages: MessagesView } satisfies DeskViews;
