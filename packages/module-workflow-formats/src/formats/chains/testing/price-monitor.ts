/** The document's example as it is printed there, with Python's comments and triple quotes. */
export const PRICE_MONITOR = `workflow_spec = {
    "workflow_id": "daily_price_monitor",
    "name": "Daily Competitor Price Monitor",
    "description": "Check competitor prices and alert on changes",

    "executors": [
        {
            "executor_id": "fetch_prices",
            "name": "Price Fetcher",
            "description": "Fetch prices from multiple competitors",

            "model": "gpt-4o-mini",
            "tools": ["search_web"],

            "system_prompt": """You are a price fetcher.

Your job: Fetch current prices for these products:
- Apple iPhone 15 Pro (ASIN: B08X12345)
- Samsung Galaxy S24 (ASIN: B08X67890)

For EACH product, search Amazon and Walmart.
Build a structured result with all prices.

Return JSON with this schema:
{
    "prices": [
        {"product": "str", "competitor": "str", "price": "float", "url": "str"}
    ]
}

Iteration hint: Search each product+competitor combination (4 total searches).""",

            "output_schema": {
                "prices": [{"product": "str", "competitor": "str", "price": "float", "url": "str"}]
            }
        },

        {
            "executor_id": "compare_prices",
            "name": "Price Comparator",
            "description": "Compare against historical data and check thresholds",

            "model": "gpt-4o",
            "tools": ["query_db"],  # Has access to historical prices

            "system_prompt": """You are a price comparator.

Previous executor output is available as $previous_output.

Your job:
1. Query the price_history table for these products
2. Compare current prices with most recent historical price
3. Flag any price changes > 10%
4. Return structured list of alerts

Return JSON with this schema:
{
    "alerts": [
        {"product": "str", "old_price": "float", "new_price": "float", "change_percent": "float"}
    ],
    "summary": "str"
}""",

            "output_schema": {
                "alerts": [{"product": "str", "old_price": "float", "new_price": "float", "change_percent": "float"}],
                "summary": "str"
            }
        },

        {
            "executor_id": "send_alerts",
            "name": "Alert Sender",
            "description": "Send notifications for price alerts",

            "model": "gpt-4o-mini",
            "tools": ["send_message", "write_file"],

            "system_prompt": """You are an alert sender.

Previous executor output is available as $previous_output.

Your job:
1. If there are alerts, send a message with the summary
2. Also save the alert details to price_alerts.txt
3. Return confirmation

No alerts? Just log "No price alerts today" to file.

Return JSON with this schema:
{
    "status": "str",  // "sent" | "no_alerts" | "failed"
    "message_count": "int",
    "file_saved": "bool"
}""",

            "output_schema": {
                "status": "str",
                "message_count": "int",
                "file_saved": "bool"
            }
        }
    ],

    "schedule_type": "recurring",
    "cron_expression": "0 9 * * MON-FRI",  # Weekdays at 9am
    "notify_on_complete": true,
    "notify_on_failure": true
}
`;
