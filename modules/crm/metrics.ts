import type { Metric } from '../core/metrics.ts'

export const metrics: Metric[] = [
  {
    name: 'new-clients',
    section: 'clients',
    order: 20,
    label: 'New clients',
    definition: 'Clients added in the period, archived ones too. Those in the trash don’t count.',
    unit: 'count',
    addsUpByDay: true,
    chart: 'time',
    permission: 'crm:client:read',
    rows: () => ({
      from: `from client c
        where c.coach_id = $1 and c.created_at >= $2 and c.created_at < $3 and c.deleted_at is null`,
      id: 'c.id',
      at: 'c.created_at',
      value: '1',
      title: 'c.name',
      detail: `case when c.archived_at is null then null else 'archived' end`,
      to: `'/clients/' || c.id`,
    }),
  },
]
