import { defineModule } from '../core/manifest.ts'
import { operations } from './api.ts'
import { contributions } from './contributions.ts'
import { jobs } from './jobs.ts'
import { migrations } from './migrations.ts'
import { permissions } from './permissions.ts'
import { userColumns } from './queries/connection.ts'
import { ZoomConnectAttempt, ZoomConnection, ZoomEvent, ZoomToken } from './schema.ts'
import { zoomRecordings } from './services/recordings.ts'
import { requestRevocation } from './services/oauth.ts'

/** Why no export has these tables. */
const connection = 'connect Zoom again'

export default defineModule({
  id: 'zoom',
  entities: [ZoomConnection, ZoomToken, ZoomConnectAttempt, ZoomEvent],
  migrations,
  permissions,
  operations,
  routes: [
    { path: 'settings/zoom', file: 'routes/zoom-settings.tsx' },
    { path: 'zoom/connect', file: 'routes/connect.ts', layout: 'resource' },
    { path: 'zoom/callback', file: 'routes/callback.ts', layout: 'resource' },
    { path: 'zoom/webhooks', file: 'routes/webhook.ts', layout: 'resource' },
  ],
  contributions,
  userColumns,
  recordingSource: zoomRecordings,
  eraseAccount: requestRevocation,
  jobs,
  notifications: [
    {
      kind: 'zoom.reconnect',
      label: 'Zoom has to be connected again',
      description: 'Until you do, no recordings are found.',
    },
  ],
  practiceExport: {
    tables: {
      zoom_connection: { leftOut: connection },
      zoom_token: { leftOut: connection },
      zoom_connect_attempt: { leftOut: connection },
      zoom_event: { leftOut: connection },
    },
  },
})
