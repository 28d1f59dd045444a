// Also for browsers, which never load the schemas of forms.ts.

export const appointmentStatuses = ['scheduled', 'confirmed', 'completed', 'cancelled'] as const
export type AppointmentStatus = (typeof appointmentStatuses)[number]

export const statusWords: Record<AppointmentStatus, string> = {
  scheduled: 'Scheduled',
  confirmed: 'Confirmed',
  completed: 'Completed',
  cancelled: 'Cancelled',
}
