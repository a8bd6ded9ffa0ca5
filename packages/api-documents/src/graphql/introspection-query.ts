import { getIntrospectionQuery } from "graphql";

/** The query that a GraphQL API answers with its schema. It asks only for what every version of the specification since 2018 has. */
export const graphqlIntrospection: string = getIntrospectionQuery({ descriptions: true });
