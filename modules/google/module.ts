import { z } from 'zod'
import { clientDeleted, clientRestored, clientUpdated } from '#modules/crm/index.ts'
import {
  appointmentCreated,
  appointmentDeleted,
  appointmentRestored,
  appointmentsChanged,
  appointmentUpdated,
} from '#modules/scheduling/index.ts'
import { defineEvent, subscribe, type EventType } from '../core/events.ts'
import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { jobs } from './jobs.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { userColumns } from './queries/connection.ts'
import {
  GoogleCalendar,
  GoogleConnectAttempt,
  GoogleConnection,
  GoogleEvent,
  GoogleLink,
  GoogleToken,
} from './schema.ts'
import { markAllChanged, markChanged } from './services/links.ts'
import { meetTranscripts } from './services/meet-transcripts.ts'
import { requestRevocation } from './services/oauth.ts'

const id = 'google'
/** Why no export has these tables. */
const connection = 'connect Google Calendar again'
const appointmentEvents = [appointmentCreated, appointmentUpdated, appointmentDeleted, appointmentRestored]
/** Events of the module pipeline, which may be missing. */
const prospectEvents = (
  ['pipeline.prospect-deleted', 'pipeline.prospect-restored', 'pipeline.prospect-converted'] as const
).map((name) => defineEvent(name, z.object({})))
const prospectUpdated = defineEvent('pipeline.prospect-updated', z.object({ fields: z.array(z.string()) }))
/** Appointments are hidden with their attendee, and their events have the attendee's name. */
const attendeeEvents: EventType[] = [clientDeleted, clientRestored, ...prospectEvents]

export default defineModule({
  id,
  title: 'Google Calendar',
  dependsOn: ['crm', 'scheduling'],
  entities: [GoogleConnection, GoogleToken, GoogleConnectAttempt, GoogleCalendar, GoogleEvent, GoogleLink],
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'settings/google-calendar', file: 'routes/google-settings.tsx' },
    { path: 'google/connect', file: 'routes/connect.ts', layout: 'resource' },
    { path: 'google/callback', file: 'routes/callback.ts', layout: 'resource' },
    { path: 'google/notifications/:token', file: 'routes/notification.ts', layout: 'resource' },
  ],
  contributions,
  userColumns,
  recordingSource: meetTranscripts,
  eraseAccount: requestRevocation,
  subscribers: [
    ...appointmentEvents.map((event) =>
      subscribe(id, event, (ctx, { appointmentId }) => markChanged(ctx, [appointmentId]), { keepsData: true }),
    ),
    subscribe(id, appointmentsChanged, (ctx, { appointmentIds }) => markChanged(ctx, appointmentIds), {
      keepsData: true,
    }),
    ...attendeeEvents.map((event) => subscribe(id, event, (ctx) => markAllChanged(ctx), { keepsData: true })),
    ...[clientUpdated, prospectUpdated].map((event) =>
      subscribe<typeof event.payload>(
        id,
        event,
        async (ctx, { fields }) => {
          if (fields.includes('name')) await markAllChanged(ctx)
        },
        { keepsData: true },
      ),
    ),
  ],
  jobs,
  notifications: [
    {
      kind: 'google.reconnect',
      label: 'Google Calendar has to be connected again',
      description: "Until you do, new sessions are not written there and its events don't block times.",
    },
  ],
  practiceExport: {
    tables: {
      google_connection: { leftOut: connection },
      google_token: { leftOut: connection },
      google_connect_attempt: { leftOut: connection },
      google_calendar: { leftOut: connection },
      google_event: { leftOut: connection },
      google_link: { leftOut: connection },
    },
  },
})
