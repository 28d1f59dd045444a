/** Permissions with their descriptions for the roles screen. */
export const permissions = {
  'forms:form:read': 'See forms',
  'forms:form:write': 'Build, publish and delete forms',
  'forms:submission:read': 'See the answers of clients',
  'forms:submission:write': 'Send forms, approve what answers change and delete answers',
  'forms:answer:write': 'Answer a form by its link',
  'client:form:read': 'See the forms that they have in the portal',
} as const
