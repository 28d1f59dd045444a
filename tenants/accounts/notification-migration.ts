export const notificationChoices = /* sql */ `
-- Whether the coach gets the emails of a kind, where they have chosen it.
alter table account
  add column notification_choices jsonb not null default '{}',
  add constraint account_notification_choices_object check (jsonb_typeof(notification_choices) = 'object'),
  add constraint account_notification_choices_length check (char_length(notification_choices::text) <= 10000);
`
