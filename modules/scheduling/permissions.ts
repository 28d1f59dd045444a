import type { PermissionName } from '#tenants/context.ts'

export const permissions: Record<PermissionName, string> = {
  'scheduling:appointment:read': 'See the calendar and its appointments',
  'scheduling:appointment:write': 'Schedule, change, complete and delete appointments',
  'scheduling:availability:read': 'See the working hours and the times that can be booked',
  'scheduling:availability:write': 'Change the working hours',
  'scheduling:booking:write': 'Book a time as visitors do',
  'scheduling:message:read': 'See which emails go out, and their texts',
  'scheduling:message:write': 'Change the emails',
  'scheduling:type:read': 'See the appointment types',
  'scheduling:type:write': 'Add, change and delete appointment types',
  'client:session:read': 'See their own sessions in the portal',
}
