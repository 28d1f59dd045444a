import { migration } from '#db/migration.ts'

/** What the administrator sees across all practices: coaches and counts, never a record of a practice. */
export const platform = migration(
  'admin/0001-platform',
  /* sql */ `
grant select on client to practice_lookup;

create function platform_coaches() returns table (id bigint, email text, first_name text, last_name text, business_name text, plan text, trial_ends_at timestamptz, last_sign_in_at timestamptz, created_at timestamptz, clients bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query select a.id, a.email, a.first_name, a.last_name, a.business_name, a.plan, a.trial_ends_at, a.last_sign_in_at, a.created_at, coalesce(c.count, 0)
    from account a
    left join (select coach_id, count(*) as count from client where deleted_at is null and archived_at is null group by coach_id) c on c.coach_id = a.id
    where a.removed_at is null order by a.created_at desc, a.id desc;
end $$;

alter function platform_coaches() owner to practice_lookup;
revoke all on function platform_coaches() from public;
grant execute on function platform_coaches() to practice_app;
`,
)
