import type { JobData } from '#modules/core/manifest.ts'
import { modules } from '#modules/registry.ts'
import { readEmail, type ReceivedEmail } from './email-text.ts'
import { inTenant, type Coach } from './factories.ts'
import type { MailServer } from './mail-server.ts'

// Every email to clients, prospects and visitors, sent by its job from the rows of a demo practice.

/** The jobs of modules that send emails. Those of the platform are for the coach, about the account itself. */
export const emailJobs = modules.flatMap(({ jobs = [] }) => jobs.filter(({ kind }) => kind === 'email'))

/** The jobs whose emails are for the coach alone. */
export const coachEmailJobs = [
  'billing.notify-payment',
  'forms.notify',
  'google.email',
  'public-page.notify',
  'scheduling.send-test-message',
  'stripe.email-plan-failure',
  'tasks.remind',
  'webhooks.email-disabled',
  'zoom.email',
]

/** `prepare` changes rows; `data` selects what the job is run with: once for each row. */
type Occasion = { prepare?: string[]; data: string }

const nextSession = `(select id from appointment where coach_id = :coach and client_id = :client and start_time > :now
  and deleted_at is null order by start_time, id limit 1)`
const lastSession = `(select id from appointment where coach_id = :coach and client_id = :client and status = 'completed'
  and deleted_at is null order by start_time desc, id limit 1)`

/** `messages`: the kind and the sequence of each. */
const addMessages = (session: string, messages: string) => `insert into appointment_message
    (coach_id, appointment_id, kind, sequence, lead_minutes, email, start_time, end_time, tentative, due_at, created_at)
  select a.coach_id, a.id, m.kind, m.sequence, case m.kind when 'reminder' then 60 else 0 end, c.email, a.start_time,
    a.end_time, false, :now, :now
  from appointment a join client c on c.coach_id = a.coach_id and c.id = a.client_id,
    (values ${messages}) as m (kind, sequence)
  where a.coach_id = :coach and a.id = ${session}`
const messageData = (condition: string) =>
  `select min(id) as "messageId" from appointment_message where coach_id = :coach and created_at = :now and ${condition}
    group by coalesce(group_id, id) order by 1`
const groupMessages = (sequences: string) => `update appointment_message set group_id = (
    select min(id) from appointment_message where coach_id = :coach and sequence in (${sequences}) and created_at = :now)
  where coach_id = :coach and sequence in (${sequences}) and created_at = :now`

// :client is the one with the most records.
const occasions: Record<string, Occasion[]> = {
  'scheduling.send-message': [
    {
      prepare: [
        `insert into message_settings (coach_id, reminder_minutes, follow_up, follow_up_minutes, tells_coach, version,
            created_at, updated_at)
          values (:coach, '{60}', true, 120, true, 1, :now, :now)
          on conflict (coach_id) do update set reminder_minutes = '{60}', follow_up = true`,
        addMessages(nextSession, `('confirmation', 101), ('change', 102), ('reminder', 102)`),
        addMessages(lastSession, `('follow_up', 101)`),
        addMessages(nextSession, `('confirmation', 111), ('confirmation', 112), ('change', 113), ('change', 114)`),
        groupMessages('111, 112'),
        groupMessages('113, 114'),
      ],
      data: messageData('sequence < 120'),
    },
    {
      prepare: [
        `update appointment_type set confirmation = 'manual' where coach_id = :coach`,
        `update appointment set booked_online = true, appointment_type_id = (
            select min(id) from appointment_type where coach_id = :coach and deleted_at is null)
          where coach_id = :coach and id = ${nextSession}`,
        addMessages(nextSession, `('confirmation', 121)`),
      ],
      data: messageData('sequence = 121'),
    },
    {
      prepare: [
        addMessages(nextSession, `('cancellation', 131), ('cancellation', 132), ('cancellation', 133)`),
        groupMessages('132, 133'),
        `update appointment set deleted_at = :now where coach_id = :coach and id = ${nextSession}`,
      ],
      data: messageData('sequence > 130'),
    },
  ],
  'scheduling.email-lost-booking': [
    {
      prepare: [
        `insert into sale (coach_id, product_name, amount, currency, buyer_name, buyer_email, source, created_at,
            updated_at)
          values (:coach, 'Introduction', 4000, 'usd', 'Ida Lund', 'ida@example.com', 'booking', :now, :now)`,
        `insert into paid_booking (coach_id, sale_id, appointment_type_id, state, start_time, duration_minutes, timezone,
            details, kept_until, refund, refund_state, created_at, updated_at)
          select :coach, max(s.id), min(t.id), 'lost', :now, 60, 'Europe/Berlin', '{}', :now, 'automatic', 'sent', :now, :now
          from sale s join appointment_type t on t.coach_id = s.coach_id where s.coach_id = :coach and s.source = 'booking'`,
      ],
      data: 'select max(id) as "paidBookingId" from paid_booking where coach_id = :coach',
    },
  ],
  'billing.email-invoice': [
    {
      data: `select distinct on (i.kind) i.id as "invoiceId", 'invoice' as kind from invoice i
        where i.coach_id = :coach and i.state = 'open' and i.client_id is not null order by i.kind, i.id`,
    },
    {
      data: `select id as "invoiceId", 'reminder' as kind from invoice where coach_id = :coach and client_id = :client`,
    },
  ],
  'billing.send-reminder': [
    {
      prepare: [
        `update billing_settings set sends_reminders = true, reminder_days = '{3}' where coach_id = :coach`,
        `update invoice set due_date = :now::date - 3, sent_at = :now where coach_id = :coach and client_id = :client`,
      ],
      data: 'select id as "invoiceId", 3 as days from invoice where coach_id = :coach and client_id = :client',
    },
  ],
  'billing.email-receipt': [
    {
      data: `select min(e.id) as "entryId" from ledger_entry e join invoice i on i.coach_id = :coach and i.id = e.invoice_id
        where e.coach_id = :coach and e.kind = 'payment' and i.client_id is not null`,
    },
  ],
  'billing.email-payment-link': [
    { data: `select max(id) as "saleId" from sale where coach_id = :coach and source = 'link' and state = 'open'` },
  ],
  'stripe.email-offer': [
    {
      prepare: [
        `insert into stripe_subscription (coach_id, client_id, product_name, kind, frequency, currency, amount,
            account_id, created_at, updated_at)
          select :coach, :client, 'Alumni circle', 'recurring', 'monthly', 'usd', 9000, account_id, :now, :now
          from stripe_account where coach_id = :coach`,
      ],
      data: 'select max(id) as "subscriptionId" from stripe_subscription where coach_id = :coach',
    },
  ],
  'stripe.email-failure': [
    { data: `select id as "chargeRowId" from stripe_charge where coach_id = :coach and state = 'failed'` },
  ],
  'summaries.email': [
    {
      prepare: [
        `update session_summary set status = 'shared', shared_at = :now where coach_id = :coach and status = 'approved'`,
      ],
      data: `select id as "summaryId" from session_summary where coach_id = :coach and status = 'shared'`,
    },
  ],
  'resources.email-share': [
    {
      prepare: [
        `update resource_share set revoked_at = null, expires_at = :now::timestamptz + interval '9 days', opens = 0
          where coach_id = :coach`,
      ],
      data: `select id as "shareId", :client::bigint as "clientId" from resource_share
        where coach_id = :coach and client_id = :client`,
    },
  ],
  'forms.email-link': [
    {
      prepare: [
        `update form_submission set submitted_at = null, expires_at = null where coach_id = :coach and id = (
            select max(id) from form_submission where coach_id = :coach and client_id = :client)`,
      ],
      data: `select min(id) as "submissionId" from form_submission
        where coach_id = :coach and client_id is not null and submitted_at is null`,
    },
  ],
  'contracts.email': [
    {
      prepare: [
        `insert into contract_email (coach_id, contract_id, kind, created_at) select c.coach_id, c.id, e.kind, :now
          from contract c, (values ('link', 'open'), ('reminder', 'open'), ('copy-client', 'completed')) as e (kind, state)
          where c.coach_id = :coach and c.client_id = :client and c.state = e.state`,
      ],
      data: `select id as "emailId" from contract_email where coach_id = :coach and state = 'waiting' order by id`,
    },
  ],
  'messages.notify': [
    {
      prepare: [
        `insert into message (coach_id, client_id, sender, content, created_at) values (:coach, :client, 'coach', 'Hello', :now)`,
      ],
      data: `select :client::bigint as "clientId", 'coach' as sender`,
    },
  ],
  'portal.email-link': [
    { data: 'select email from client where coach_id = :coach and id = :client' },
    { data: 'select id as "clientId" from client where coach_id = :coach and id = :client' },
  ],
  'portal.email-passkey': [
    {
      prepare: [
        `insert into portal_passkey
            (coach_id, client_id, email, host, name, credential_id, public_key, sign_count, transports, created_at)
          select coach_id, id, lower(email), 'her-name.example', 'Phone', '\\x01', '\\x02', 0, '{}', :now
          from client where coach_id = :coach and id = :client`,
      ],
      data: `select :client::bigint as "clientId", array[max(id)] as "passkeyIds", 'added' as change,
          'Firefox on Windows' as device from portal_passkey where coach_id = :coach and client_id = :client`,
    },
    {
      prepare: [`update portal_passkey set removed_at = :now where coach_id = :coach and client_id = :client`],
      data: `select :client::bigint as "clientId", array[max(id)] as "passkeyIds", 'removed' as change,
          'Firefox on Windows' as device from portal_passkey where coach_id = :coach and client_id = :client`,
    },
  ],
  'automations.email': [
    {
      prepare: [`update automation_email set state = 'waiting', sent_at = null where coach_id = :coach`],
      data: 'select max(id) as "emailId" from automation_email where coach_id = :coach',
    },
  ],
}

/** Each job with the emails that it sent to others than the coach. A job without an occasion sends none. */
export async function sendClientEmails(
  coach: Coach,
  { clientId, mail }: { clientId: number; mail: MailServer },
): Promise<Map<string, ReceivedEmail[]>> {
  const { platform } = coach
  const sent = new Map<string, ReceivedEmail[]>()
  const params = { coach: coach.id, client: clientId, now: platform.now() }
  for (const { name, run } of emailJobs) {
    const emails: ReceivedEmail[] = []
    for (const { prepare = [], data } of occasions[name] ?? []) {
      const rows = await inTenant(coach, async (tx) => {
        for (const text of prepare) await tx.query(toQuery(text, params))
        return tx.query<JobData>(toQuery(data, params))
      })
      for (const row of rows) await run(platform, { ...row, coachId: coach.id })
      while (mail.unread()) {
        const { to, raw } = await mail.next()
        if (!to.includes(coach.email)) emails.push(await readEmail(raw))
      }
    }
    sent.set(name, emails)
  }
  return sent
}

let queries = 0

/** Numbers the parameters that a statement has. */
function toQuery(text: string, params: Record<string, unknown>) {
  const names = Object.keys(params).filter((name) => new RegExp(`(?<!:):${name}\\b`).test(text))
  const numbered = names.reduce(
    (all, name, index) => all.replaceAll(new RegExp(`(?<!:):${name}\\b`, 'g'), `$${index + 1}`),
    text,
  )
  return { name: `test.occasion-${++queries}`, text: numbered, values: names.map((name) => params[name]) }
}
