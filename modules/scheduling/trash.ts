import type { RecordKind } from '#modules/core/manifest.ts'
import { isClientInTrash, unlinkAppointment } from '#modules/crm/index.ts'
import { isProspectInTrash } from '#modules/pipeline/index.ts'
import { restoreAppointment } from './services/appointments.ts'
import { restoreType } from './services/types.ts'
import { statusLabels } from './statuses.ts'

export const records: RecordKind[] = [
  {
    kind: 'appointment',
    label: 'Appointment',
    permission: { read: 'scheduling:appointment:read', write: 'scheduling:appointment:write' },
    title: 'r.title',
    to: `'/calendar?dialog=appointment&appointment=' || r.id`,
    hidden: `${isClientInTrash('r')} or ${isProspectInTrash('r')}`,
    fields: {
      title: 'Title',
      client_id: { label: 'Client', of: 'client' },
      prospect_id: { label: 'Prospect', of: 'prospect' },
      appointment_type_id: { label: 'Appointment type', of: 'appointment_type' },
      start_time: { label: 'Start', as: 'time' },
      end_time: { label: 'End', as: 'time' },
      timezone: 'Timezone',
      status: { label: 'Status', words: statusLabels },
      completed_at: { label: 'Completed', as: 'time' },
      meeting_url: 'Meeting URL',
      description: 'Description',
      session_notes: { label: 'Session notes', as: 'markup' },
    },
    restore: restoreAppointment,
    onErase: (ctx, { id }) => unlinkAppointment(ctx, id),
  },
  {
    kind: 'appointment_type',
    label: 'Appointment type',
    permission: { read: 'scheduling:type:read', write: 'scheduling:type:write' },
    title: 'r.name',
    to: `'/settings#appointment-types'`,
    fields: { name: 'Name' },
    restore: restoreType,
  },
]
