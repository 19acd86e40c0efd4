class not_c {};
