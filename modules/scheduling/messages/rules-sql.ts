/** SQL: the coach's settings `ms`, if there are any. */
export const joinMessageSettings = 'left join message_settings ms on ms.coach_id = $1'

const ofType = (column: string) => `case when t.deleted_at is null then t.${column} end`

/** SQL over a type `t` and the settings `ms`: MessageRules. A type in the trash has no rules. */
export const messageRulesSql = `json_build_object(
  'reminderMinutes', coalesce(${ofType('reminder_minutes')}, ms.reminder_minutes, '{1440,60}'),
  'followUpMinutes', case when coalesce(${ofType('follow_up')} = 'on', ms.follow_up, false)
    then coalesce(ms.follow_up_minutes, 120) end,
  'tellsCoach', coalesce(ms.tells_coach, true))`
